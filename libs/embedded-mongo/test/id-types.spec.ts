import { Binary, BSONSymbol, Code, Decimal128, Long, MaxKey, MinKey, ObjectId, Timestamp, UUID } from 'bson';
import type { Collection, Document } from 'mongodb';
import { TestServer } from './test-server';

let server: TestServer;
let items: Collection<Document>;

beforeAll(async () => {
  server = await TestServer.start();
  items = (await server.database('ids')).collection('items');
});
afterAll(() => server.stop());
beforeEach(() => items.drop());

const types: [string, unknown][] = [
  ['NaN', Number.NaN],
  ['double', 1.5],
  ['int', 0],
  ['long', Long.MAX_VALUE],
  ['decimal', Decimal128.fromString('1.10')],
  ['string', ''],
  ['object', {}],
  ['object with fields', { b: 1, a: { c: 2 } }],
  ['binary', new Binary(Buffer.of(0, 0x80, 0xff))],
  ['uuid', new UUID()],
  ['objectId', new ObjectId()],
  ['boolean', false],
  ['date', new Date(0)],
  ['timestamp', new Timestamp({ t: 1, i: 2 })],
  ['code', new Code('1')],
  ['code with scope', new Code('1', { a: 1 })],
  ['symbol', new BSONSymbol('s')],
  ['minKey', new MinKey()],
  ['maxKey', new MaxKey()],
];

const ways: [string, (_id: never) => Promise<unknown>][] = [
  ['insertOne', (_id) => items.insertOne({ _id })],
  ['insertMany', (_id) => items.insertMany([{ _id }])],
  ['updateOne', (_id) => items.updateOne({ _id }, { $unset: { a: '' } }, { upsert: true })],
  ['updateMany', (_id) => items.updateMany({ _id }, { $unset: { a: '' } }, { upsert: true })],
  ['replaceOne', (_id) => items.replaceOne({}, { _id }, { upsert: true })],
  ['findOneAndUpdate', (_id) => items.findOneAndUpdate({ _id }, { $unset: { a: '' } }, { upsert: true })],
  ['bulkWrite', (_id) => items.bulkWrite([{ insertOne: { document: { _id } } }])],
];

describe.each(types)('an _id of type %s', (_type, id) => {
  test.each(ways)('is stored by %s, found and unique', async (_way, store) => {
    await store(id as never);
    const options = { promoteValues: false, promoteLongs: false };
    const [stored] = await items.find({}, options).toArray();
    expect(await items.find({ _id: id as never }, options).toArray()).toEqual([stored]);
    await expect(items.insertOne({ _id: stored!._id })).rejects.toMatchObject({ code: 11000 });
    expect(await items.countDocuments({ _id: { $in: [id as never] } })).toBe(1);
    await items.updateOne({ _id: id as never }, { $set: { a: 1 } });
    expect((await items.deleteOne({ _id: id as never, a: 1 })).deletedCount).toBe(1);
  });
});

describe('an _id that is null', () => {
  // Drivers replace it by an ObjectId, unless they leave ids to the server.
  const asGiven = { forceServerObjectId: true };
  const _id = null as never;

  test.each<[string, () => Promise<unknown>]>([
    ['insertOne', () => items.insertOne({ _id }, asGiven)],
    ['insertMany', () => items.insertMany([{ _id }], asGiven)],
    ['updateOne', () => items.updateOne({ _id }, { $set: { a: 1 } }, { upsert: true })],
    ['updateMany', () => items.updateMany({ _id }, { $set: { a: 1 } }, { upsert: true })],
    ['replaceOne', () => items.replaceOne({ _id }, { a: 1 }, { upsert: true })],
    ['findOneAndUpdate', () => items.findOneAndUpdate({ _id }, { $set: { a: 1 } }, { upsert: true })],
    ['bulkWrite', () => items.bulkWrite([{ insertOne: { document: { _id } } }], asGiven)],
  ])('is stored by %s, found and unique', async (_way, store) => {
    await store();
    for (const found of [{ $type: 'null' }, { $type: 10 }, null, { $in: [null] }, { $exists: true }, { $lte: null }])
      expect([found, await items.countDocuments({ _id: found as never })]).toEqual([found, 1]);
    expect(await items.countDocuments({ _id: { $ne: null as never } })).toBe(0);
    await expect(items.insertOne({ _id }, asGiven)).rejects.toMatchObject({ code: 11000 });
  });
});
