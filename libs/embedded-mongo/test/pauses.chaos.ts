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

test.each<[string, Document[]]>([
  ['sort before a skip', [{ $sort: { text: 1, _id: -1 } }, { $skip: 29_990 }]],
  ['$sort', [{ $set: { m: { $mod: ['$_id', 7] } } }, { $sort: { m: 1, text: 1 } }]],
  ['$group', [{ $group: { _id: '$_id', text: { $last: '$text' } } }, { $sort: { text: 1 } }]],
  ['$unwind', [{ $set: { m: { $range: [0, 8] } } }, { $unwind: '$m' }, { $match: { m: 8 } }]],
])('point reads are served while a large %s is under way', async (_name, stages) => {
  const other = (await server.connect()).db('limits').collection('items');
  /** The longest wait of a read during the work. */
  const longestShare = async () => {
    let isWorking = true;
    const started = performance.now();
    const work = items.aggregate([...stages, { $count: 'n' }]).toArray();
    void work.finally(() => {
      isWorking = false;
    });
    const times: number[] = [];
    while (isWorking) {
      const asked = performance.now();
      await other.findOne({ _id: 1 as never });
      times.push(performance.now() - asked);
    }
    await work;
    return Math.max(...times) / (performance.now() - started);
  };
  // A stage without pauses would delay the reads by half of its time or more, each time; a busy machine has pauses of
  // its own sometimes.
  let share = 1;
  for (let tries = 0; tries < 4 && share >= 1 / 3; tries++) share = await longestShare();
  expect(share).toBeLessThan(1 / 3);
});
