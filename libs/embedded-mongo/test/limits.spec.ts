import { readdirSync, readlinkSync } from 'node:fs';
import type { Collection, Document } from 'mongodb';
import { TestServer } from './test-server';

let server: TestServer;
let items: Collection<Document>;

/** The target of an open file of this process; files that are closed meanwhile are ignored. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

beforeAll(async () => {
  server = await TestServer.start({ sortMemoryBytes: 1024 * 1024 });
  items = (await server.database('limits')).collection('items');
  for (let from = 0; from < 30_000; from += 5000) {
    await items.insertMany(
      Array.from({ length: 5000 }, (_, at) => ({
        _id: (from + at) as never,
        n: (from + at) % 1000,
        text: 'x'.repeat(50),
      })),
    );
  }
});
afterAll(() => server.stop());

describe('beyond memory', () => {
  test('a sort uses the disk, with the same order as in memory', async () => {
    const sorted = await items.find().sort({ n: -1, _id: 1 }).toArray();
    expect(sorted).toHaveLength(30_000);
    expect(sorted.slice(0, 3).map(({ _id }) => _id)).toEqual([999, 1999, 2999]);
    expect(sorted.at(-1)).toMatchObject({ _id: 29_000, n: 0 });
    expect(await items.find().sort({ n: -1, _id: 1 }).skip(20_000).limit(3).toArray()).toEqual(
      sorted.slice(20_000, 20_003),
    );
  });

  test('$sort of whole documents too', async () => {
    const sorted = await items.aggregate([{ $set: { m: { $mod: ['$_id', 7] } } }, { $sort: { m: 1, n: 1 } }]).toArray();
    expect(sorted).toHaveLength(30_000);
    const order = sorted.map(({ m, n }) => m * 1000 + n);
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  test('$group too, with many or with large groups', async () => {
    const many = await items.aggregate([{ $group: { _id: '$_id', n: { $sum: '$n' } } }]).toArray();
    expect(many).toHaveLength(30_000);
    expect(many.every(({ _id, n }) => n === _id % 1000)).toBe(true);
    const large = await items
      .aggregate([{ $group: { _id: '$n', ids: { $push: '$_id' }, texts: { $push: '$text' }, n: { $sum: 1 } } }])
      .toArray();
    expect(large).toHaveLength(1000);
    for (const { _id, ids, texts, n } of large) {
      expect(n).toBe(30);
      expect(ids).toEqual(Array.from({ length: 30 }, (_, at) => at * 1000 + _id));
      expect(texts).toHaveLength(30);
    }
  });

  test('one group that outgrows it is refused', async () => {
    await expect(
      items.aggregate([{ $group: { _id: null, all: { $push: '$$ROOT' } } }]).toArray(),
    ).rejects.toMatchObject({
      code: 292,
    });
  });

  test('everything fails without allowDiskUse, except with a small limit', async () => {
    const refused = { code: 292, codeName: 'QueryExceededMemoryLimitNoDiskUseAllowed' };
    await expect(items.find().sort({ text: 1 }).allowDiskUse(false).toArray()).rejects.toMatchObject(refused);
    const stages = [{ $set: { m: 1 } }, { $sort: { text: 1 } }];
    await expect(items.aggregate(stages, { allowDiskUse: false }).toArray()).rejects.toMatchObject(refused);
    const group = [{ $group: { _id: '$_id', text: { $first: '$text' } } }];
    await expect(items.aggregate(group, { allowDiskUse: false }).toArray()).rejects.toMatchObject(refused);
    expect(await items.find().sort({ n: -1 }).limit(5).allowDiskUse(false).toArray()).toHaveLength(5);
  });

  test('files are deleted, also for abandoned cursors', async () => {
    const open = (): number =>
      readdirSync('/proc/self/fd').filter((fd) => linkOf(`/proc/self/fd/${fd}`).includes('/scratch/')).length;
    expect(open()).toBe(0);
    const sorting = items.aggregate([{ $set: { m: 1 } }, { $sort: { text: 1, n: 1 } }], { batchSize: 10 });
    await sorting.next();
    expect(open()).toBe(1);
    await sorting.close();
    expect(open()).toBe(0);
    await expect(items.find().sort({ text: 1 }).maxTimeMS(20).toArray()).rejects.toMatchObject({ code: 50 });
    expect(open()).toBe(0);
  });
});

test('an operation past its time ends with MaxTimeMSExpired', async () => {
  const slow = { text: /y$/ };
  await expect(items.find(slow).maxTimeMS(1).toArray()).rejects.toMatchObject({
    code: 50,
    codeName: 'MaxTimeMSExpired',
  });
  await expect(items.updateMany(slow, { $set: { a: 1 } }, { maxTimeMS: 1 })).rejects.toMatchObject({ code: 50 });
  expect(await items.findOne({ _id: 1 as never }, { maxTimeMS: 10_000 })).not.toBeNull();
});

test('an unordered write beside a scan does not disturb it', async () => {
  const cursor = items.find({}, { batchSize: 1000 }).sort({ $natural: 1 });
  const seen = new Set<unknown>();
  for await (const { _id } of cursor) {
    seen.add(_id);
    if (seen.size % 5000 === 0) await items.deleteOne({ _id: (30_000 - seen.size / 5000) as never });
  }
  expect(seen.size).toBeGreaterThanOrEqual(29_990);
});

/** Cursor ids as sent: one in a thousand is small enough for a number, which is no `long` when it is sent back. */
const asSent = { promoteLongs: false };

describe('cursors', () => {
  test('a killed cursor does not exist any more', async () => {
    const database = await server.database('limits');
    const { cursor } = await database.command({ find: 'items', batchSize: 2 }, asSent);
    expect(cursor.firstBatch).toHaveLength(2);
    const next = await database.command({ getMore: cursor.id, collection: 'items', batchSize: 3 });
    expect(next.cursor.nextBatch).toHaveLength(3);
    await database.command({ killCursors: 'items', cursors: [cursor.id] });
    await expect(database.command({ getMore: cursor.id, collection: 'items' })).rejects.toMatchObject({ code: 43 });
  });

  test('a cursor belongs to its collection', async () => {
    const database = await server.database('limits');
    const { cursor } = await database.command({ find: 'items', batchSize: 2 }, asSent);
    await expect(database.command({ getMore: cursor.id, collection: 'other' })).rejects.toMatchObject({ code: 13 });
  });

  test('a batch ends before 16 MiB', async () => {
    const large = (await server.database('limits')).collection('large');
    await large.insertMany(Array.from({ length: 30 }, () => ({ text: 'x'.repeat(1024 * 1024) })));
    const { cursor } = await (await server.database('limits')).command({ find: 'large', batchSize: 1000 });
    expect(cursor.firstBatch.length).toBeLessThan(17);
    expect(await large.find().batchSize(1000).toArray()).toHaveLength(30);
  });

  test('a cursor ends with its collection', async () => {
    const database = await server.database('limits');
    const doomed = database.collection('doomed');
    await doomed.insertMany(Array.from({ length: 10 }, (_, n) => ({ n })));
    const { cursor } = await database.command({ find: 'doomed', batchSize: 2 }, asSent);
    await doomed.drop();
    await expect(database.command({ getMore: cursor.id, collection: 'doomed' })).rejects.toMatchObject({ code: 175 });
  });
});
