import { Binary, BSONRegExp, Double, Long, MaxKey, MinKey, ObjectId, serialize, Timestamp } from 'bson';
import { parseCollation } from '../bson/collation';
import { decodeDocument } from '../bson/decode';
import { compileSort, parseSort } from './sort';

function sorted(values: object[], sort: object, collation?: object): number[] {
  const compare = compileSort(
    parseSort(decodeDocument(serialize(sort))),
    collation && parseCollation(collation as never),
  );
  const documents = values.map((document, index) => ({ ...decodeDocument(serialize(document)), at: index }));
  return documents.sort(compare).map(({ at }) => at);
}

describe('sorting', () => {
  it('follows the order of types', () => {
    const values = [
      new MinKey(),
      null,
      new Double(1.5),
      Long.fromNumber(2),
      'a',
      { x: 1 },
      new Binary(Buffer.from([1])),
      new ObjectId(),
      false,
      true,
      new Date(0),
      new Timestamp(1n),
      new BSONRegExp('a'),
      new MaxKey(),
    ].map((a) => ({ a }));
    const ascending = values.map((_, index) => index);
    expect(sorted([...values].reverse(), { a: -1 })).toEqual(ascending);
    expect(sorted(values, { a: 1 })).toEqual(ascending);
  });

  it('treats missing values as null, stably', () => {
    expect(sorted([{ a: 1 }, {}, { a: null }, { b: 1 }], { a: 1 })).toEqual([1, 2, 3, 0]);
  });

  it('uses the least element of arrays ascending and the greatest descending', () => {
    expect(sorted([{ a: [5, 1] }, { a: 3 }, { a: [2, 9] }], { a: 1 })).toEqual([0, 2, 1]);
    expect(sorted([{ a: [5, 1] }, { a: 3 }, { a: [2, 9] }], { a: -1 })).toEqual([2, 0, 1]);
    expect(sorted([{ a: [{ b: 3 }] }, { a: [{ b: 9 }, { b: 1 }] }], { 'a.b': 1 })).toEqual([1, 0]);
  });

  it('uses the next key for equal values', () => {
    expect(sorted([{ a: 1, b: 1 }, { a: 1, b: 2 }, { a: 0 }], { a: 1, b: -1 })).toEqual([2, 1, 0]);
  });

  it('follows a collation', () => {
    expect(sorted([{ a: 'b' }, { a: 'A' }, { a: 'a' }], { a: 1 }, { locale: 'en', strength: 2 })).toEqual([1, 2, 0]);
    expect(sorted([{ a: 'v10' }, { a: 'v9' }], { a: 1 }, { locale: 'en', numericOrdering: true })).toEqual([1, 0]);
  });

  it('refuses other directions than 1 and -1', () => {
    expect(() => parseSort({ a: 2 })).toThrow(expect.objectContaining({ code: 15975 }));
    expect(() => parseSort({ '': 1 })).toThrow(expect.objectContaining({ code: 15998 }));
  });
});
