import { mongo } from 'mongoose';
import { BsonReader } from './bson-reader';

const { serialize } = mongo.BSON;

describe('BsonReader', () => {
  it.each([
    [{}],
    [{ _id: 1, large: 2 ** 40, below: -1, half: 0.5 }],
    [{ title: 'é\n😀', empty: '', nothing: null, scanner: { name: 'a', of: { name: 'b' } } }],
  ])('reads %j', (given) => {
    expect(new BsonReader().read(Buffer.from(serialize(given)))).toEqual(given);
  });

  it('reads documents with other fields, in another order, or with longer names, after each other', () => {
    const reader = new BsonReader();
    const all = [
      { a: 1, b: 'x', c: { d: 1 } },
      { b: 'x', a: 1 },
      { ab: 1, b: 'x', c: { e: 1, d: 2 } },
      {},
      { a: 1, b: 'x' },
    ];
    for (const each of all) expect(reader.read(Buffer.from(serialize(each)))).toEqual(each);
  });

  it('reads nested documents', () => {
    const [first, second] = [serialize({ a: 1 }), serialize({ a: 2 })];
    expect(new BsonReader().read(Buffer.concat([first, second]), first.length)).toEqual({ a: 2 });
  });

  it.each([
    ['first', { firstBatch: [{ a: 1 }, { a: 2, b: 'x' }], id: mongo.Long.fromNumber(7), ns: 'd.c' }],
    ['last', { id: mongo.Long.ZERO, ns: 'd.c', firstBatch: [{ a: 1 }, { a: 2, b: 'x' }] }],
  ])('reads the documents of an answer that are %s', (_, cursor) => {
    const [answer, reader] = [Buffer.from(serialize(cursor)), new BsonReader()];
    const read = reader.startsOf(answer).map((start) => reader.read(answer, start));
    expect(read).toEqual([{ a: 1 }, { a: 2, b: 'x' }]);
  });

  it('reads an answer without documents', () => {
    const empty = Buffer.from(serialize({ firstBatch: [], id: mongo.Long.ZERO, ns: 'd.c' }));
    expect(new BsonReader().startsOf(empty)).toEqual([]);
    const none = Buffer.from(serialize({ id: mongo.Long.ZERO, ns: 'd.c' }));
    expect(() => new BsonReader().startsOf(none)).toThrow('without a batch');
  });

  it('refuses other input', () => {
    expect(() => new BsonReader().read(Buffer.from(serialize({ links: [] })))).toThrow('links is of type 4');
  });
});
