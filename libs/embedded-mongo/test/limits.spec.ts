import type { Collection, Document } from 'mongodb';
import { TestServer } from './test-server';

let server: TestServer;
let items: Collection<Document>;

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

test('a sort beyond its memory is refused, one with a limit is not', async () => {
  await expect(items.find().sort({ text: 1 }).toArray()).rejects.toMatchObject({ code: 292 });
  expect(await items.find().sort({ n: -1 }).limit(5).toArray()).toHaveLength(5);
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

test('point reads are served while a scan is under way', async () => {
  const other = (await server.connect()).db('limits').collection('items');
  let isScanning = true;
  const scan = items
    .find({ text: 'not there' })
    .toArray()
    .finally(() => {
      isScanning = false;
    });
  let reads = 0;
  while (isScanning) {
    await other.findOne({ _id: reads as never });
    reads++;
  }
  await scan;
  expect(reads).toBeGreaterThan(3);
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

describe('cursors', () => {
  test('a killed cursor is gone', async () => {
    const database = await server.database('limits');
    const { cursor } = await database.command({ find: 'items', batchSize: 2 });
    expect(cursor.firstBatch).toHaveLength(2);
    const next = await database.command({ getMore: cursor.id, collection: 'items', batchSize: 3 });
    expect(next.cursor.nextBatch).toHaveLength(3);
    await database.command({ killCursors: 'items', cursors: [cursor.id] });
    await expect(database.command({ getMore: cursor.id, collection: 'items' })).rejects.toMatchObject({ code: 43 });
  });

  test('a cursor belongs to its collection', async () => {
    const database = await server.database('limits');
    const { cursor } = await database.command({ find: 'items', batchSize: 2 });
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
    const { cursor } = await database.command({ find: 'doomed', batchSize: 2 });
    await doomed.drop();
    await expect(database.command({ getMore: cursor.id, collection: 'doomed' })).rejects.toMatchObject({ code: 175 });
  });
});
