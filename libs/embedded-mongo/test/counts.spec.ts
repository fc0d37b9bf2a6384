import * as fc from 'fast-check';
import type { Collection, Document } from 'mongodb';
import { TestServer } from './test-server';

/** Cached counts of long ranges and of expensive filters stay right after any write. */

let server: TestServer;
let items: Collection<Document>;
let reader: Collection<Document>;

beforeAll(async () => {
  server = await TestServer.start();
  items = (await server.database('counts')).collection('items');
  reader = (await server.database('counts')).collection('items');
});
afterAll(() => server.stop());

const size = 1_000;

/** As many for each of two parents; by parent and state they are counted from the index alone. */
async function fill(): Promise<void> {
  await items.drop();
  await items.createIndex({ parent: 1, state: 1 });
  await items.createIndex({ tags: 1, state: 1, parent: 1 });
  await items.createIndex({ parent: 1, number: 1 }, { unique: true });
  await items.insertMany(Array.from({ length: 2 * size }, (_, at) => itemOf(at % 2, at)));
}

const itemOf = (parent: number, number: number) => ({
  ...{ parent, number, state: number % 3 === 0 ? 'closed' : 'open' },
  text: number % 7 === 0 ? 'The wheel' : 'The Engine',
  tags: ['all', number % 2 === 0 ? 'even' : 'odd'],
});

const filters = [
  { parent: 0 },
  { parent: 1, state: 'open' },
  { parent: 0, state: { $in: ['open', 'closed'] } },
  { parent: { $in: [0, 1] } },
  { parent: 1, number: { $gte: 100, $lt: 1_900 } },
  { text: /WHEEL/i },
  { tags: 'all', parent: 1 },
  { tags: { $in: ['all', 'odd'] }, state: 'open' },
  { parent: 0, text: /engine/i },
];
const limits = [300, undefined, 600];

async function requireRight(): Promise<void> {
  const all = await reader.find().toArray();
  for (const filter of filters) {
    const is = all.filter((item) => isWithin(item, filter)).length;
    for (const limit of limits) {
      const counted = await reader.countDocuments(filter, { ...(limit && { limit }) });
      expect([filter, limit, counted]).toEqual([filter, limit, Math.min(is, limit ?? is)]);
    }
  }
}

function isWithin(item: Document, filter: Document): boolean {
  return Object.entries(filter).every(([name, wanted]) => {
    const value = item[name];
    if (wanted instanceof RegExp) return wanted.test(value);
    if (typeof wanted !== 'object') return value === wanted || (Array.isArray(value) && value.includes(wanted));
    if (wanted.$in) return wanted.$in.some((one: unknown) => isWithin(item, { [name]: one }));
    return value >= wanted.$gte && value < wanted.$lt;
  });
}

const parent = fc.integer({ min: 0, max: 1 });
const number = fc.integer({ min: 0, max: 2 * size + 200 });
const write = fc.oneof(
  fc.tuple(parent, number).map(([to, at]) => ({
    name: `new ${at} in ${to}`,
    run: () => items.insertOne(itemOf(to, at)).catch(unlessThere),
  })),
  fc.tuple(number).map(([at]) => ({ name: `close ${at}`, run: () => set({ number: at }, { state: 'closed' }) })),
  fc.tuple(number).map(([at]) => ({ name: `rename ${at}`, run: () => set({ number: at }, { text: 'Wheels' }) })),
  fc.tuple(parent, number).map(([to, at]) => ({
    name: `move those below ${at} to ${to}`,
    run: () => set({ number: { $lt: at % 50 } }, { parent: to }).catch(unlessThere),
  })),
  fc.tuple(number).map(([at]) => ({
    name: `remove 20 from ${at}`,
    run: () => items.deleteMany({ number: { $gte: at, $lt: at + 20 } }),
  })),
  fc.tuple(parent).map(([of]) => ({ name: `count ${of}`, run: () => reader.countDocuments({ parent: of }) })),
  fc.tuple(parent).map(([of]) => ({
    name: `search in ${of}`,
    run: () => reader.countDocuments({ parent: of, text: /engine/i }),
  })),
);
const set = (filter: Document, $set: Document) => items.updateMany(filter, { $set });

function unlessThere(error: { code?: number }): void {
  if (error.code !== 11000) throw error;
}

it('are right after concurrent writes', async () => {
  const named = fc.array(fc.array(write, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(named, async (rounds) => {
      await fill();
      await requireRight();
      for (const writes of rounds) {
        await Promise.all(writes.map(({ run }) => run()));
        await requireRight();
      }
    }),
    { numRuns: 15 },
  );
});

it('are right once a value becomes an array, which has several entries', async () => {
  await fill();
  // It would have arrays in two fields.
  await items.dropIndex('tags_1_state_1_parent_1');
  await requireRight();
  await items.updateOne({ parent: 0, number: 0 }, { $set: { state: ['open', 'closed'] } });
  await requireRight();
});

it('are right after the index was recreated', async () => {
  await fill();
  await requireRight();
  await items.dropIndex('parent_1_state_1');
  await items.deleteMany({ number: { $lt: 100 } });
  await items.createIndex({ parent: 1, state: 1 });
  await requireRight();
});

it('of unindexed conditions are right when repeated, also after many writes', async () => {
  await fill();
  const others = Array.from({ length: 20 }, (_, at) => ({ text: new RegExp(`wheel|${at}`, 'i') }));
  for (const filter of others) await reader.countDocuments(filter);
  await items.updateMany({ number: { $lt: 300 } }, { $set: { text: 'a wheel' } });
  await requireRight();
  await items.updateMany({}, { $set: { text: 'a wheel' } });
  await requireRight();
  for (const filter of others) expect(await reader.countDocuments(filter)).toBe(2 * size);
});

it('of more entries than are counted are exact up to the limit', async () => {
  await fill();
  const limited = () => reader.countDocuments({ parent: 0 }, { limit: 500 });
  expect(await limited()).toBe(500);
  await items.deleteMany({ parent: 0, number: { $lt: 900 } });
  expect(await limited()).toBe(500);
  await items.deleteMany({ parent: 0, number: { $lt: 1_100 } });
  expect(await limited()).toBe(450);
  expect(await reader.countDocuments({ parent: 0 })).toBe(450);
});

it('that started during writes include these writes', async () => {
  await fill();
  let number = 10_000;
  let turn = 0;
  for (let round = 0; round < 4; round++) {
    const filters: Document[] = [];
    let isWriting = true;
    const count = async () => {
      for (; isWriting; turn++) {
        // Each runs for the first time.
        filters.push({ parent: 0, number: { $gt: -turn } });
        await reader.countDocuments(filters.at(-1)!);
      }
    };
    const counting = count();
    for (let at = 0; at < 40; at++) await items.insertOne(itemOf(0, number++));
    isWriting = false;
    await counting;
    const there = size + number - 10_000;
    for (const filter of filters.slice(-16)) expect(await reader.countDocuments(filter)).toBe(there);
  }
});
