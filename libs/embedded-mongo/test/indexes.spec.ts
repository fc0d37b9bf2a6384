import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'bson';
import type { Collection, Document } from 'mongodb';
import { Engine } from '../src/engine/engine';
import { Index } from '../src/index/index-spec';
import { Budget } from '../src/plan/budget';
import { Execution } from '../src/plan/execution';
import { planQuery } from '../src/plan/plan-query';
import { prepareDocument } from '../src/write/prepare-document';
import { TestServer } from './test-server';

let server: TestServer;
let items: Collection<Document>;
let name = 0;

beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.stop());
beforeEach(async () => {
  items = (await server.database('indexes')).collection(`items${++name}`);
});

const many = (count: number): Document[] =>
  Array.from({ length: count }, (_, _id) => ({ _id, n: _id, group: _id % 10, tags: [_id % 3, 'x'] }));
const refused = (promise: Promise<unknown>, code: number): Promise<void> =>
  expect(promise).rejects.toMatchObject({ code });

describe('making and dropping', () => {
  test('names, listing and dropping', async () => {
    expect(await items.createIndex({ a: 1, b: -1 })).toBe('a_1_b_-1');
    await items.createIndex({ c: 1 }, { name: 'mine', unique: true, sparse: true, expireAfterSeconds: 60 });
    expect(await items.indexes()).toEqual([
      { v: 2, key: { _id: 1 }, name: '_id_' },
      { v: 2, key: { a: 1, b: -1 }, name: 'a_1_b_-1' },
      { v: 2, key: { c: 1 }, name: 'mine', unique: true, sparse: true, expireAfterSeconds: 60 },
    ]);
    await items.dropIndex('mine');
    await items.dropIndexes();
    expect((await items.indexes()).map((index) => index.name)).toEqual(['_id_']);
  });

  test('the same again is fine; the same name or key otherwise is a conflict', async () => {
    await items.createIndex({ a: 1 });
    expect(await items.createIndex({ a: 1 })).toBe('a_1');
    await refused(items.createIndex({ a: 1 }, { name: 'other' }), 85);
    await refused(items.createIndex({ b: 1 }, { name: 'a_1' }), 86);
    await refused(items.createIndex({ a: 1 }, { unique: true }), 86);
  });

  test('an index on invalid values is refused', async () => {
    await refused(items.createIndex({ a: 'text' }), 115);
    await refused(items.createIndex({ a: '2dsphere' }), 115);
    await refused(items.createIndex({ a: 0 } as never), 67);
    await refused(items.createIndex({ a: 1 }, { partialFilterExpression: { a: { $not: { $gt: 1 } } } }), 67);
    await refused(items.createIndex({ a: 1, b: 1 }, { expireAfterSeconds: 5 }), 67);
    await items.insertOne({ a: 1 });
    await refused(items.dropIndex('_id_'), 72);
    await refused(items.dropIndex('nothing'), 27);
  });

  test('indexes of a collection that does not exist are not found', async () => {
    await refused(items.indexes(), 26);
  });
});

describe('uniqueness', () => {
  test('applies to inserts, updates and upserts, and the error names the duplicate', async () => {
    await items.createIndex({ a: 1, b: 1 }, { unique: true });
    await items.insertMany([
      { _id: 1 as never, a: 1, b: 1 },
      { _id: 2 as never, a: 1, b: 2 },
    ]);
    const error = await items.insertOne({ a: 1, b: 2 }).catch((caught) => caught);
    expect(error.keyValue).toEqual({ a: 1, b: 2 });
    expect(error.keyPattern).toEqual({ a: 1, b: 1 });
    await refused(items.updateOne({ _id: 1 as never }, { $set: { b: 2 } }), 11000);
    await refused(items.updateOne({ a: 2 }, { $set: { a: 1, b: 1 } }, { upsert: true }), 11000);
    await items.updateOne({ _id: 1 as never }, { $set: { b: 1, c: 1 } });
    expect(await items.countDocuments()).toBe(2);
  });

  test('missing and null are one key, unless the index is sparse', async () => {
    await items.createIndex({ a: 1 }, { unique: true });
    await items.insertOne({});
    await refused(items.insertOne({ a: null }), 11000);
    await items.drop();
    await items.createIndex({ a: 1 }, { unique: true, sparse: true });
    await items.insertMany([{}, {}, { a: null }]);
    await refused(items.insertOne({ a: null }), 11000);
  });

  test('a partial unique index ignores other documents', async () => {
    await items.createIndex({ a: 1 }, { unique: true, partialFilterExpression: { active: true } });
    await items.insertMany([{ a: 1 }, { a: 1 }, { a: 1, active: true }]);
    await refused(items.insertOne({ a: 1, active: true }), 11000);
    await refused(items.updateOne({ active: { $exists: false } }, { $set: { active: true } }), 11000);
  });

  test('an array is unique by its elements, within itself as often as it likes', async () => {
    await items.createIndex({ tags: 1 }, { unique: true });
    await items.insertOne({ tags: ['a', 'a', 'b'] });
    await refused(items.insertOne({ tags: ['c', 'b'] }), 11000);
    await items.insertOne({ tags: ['c'] });
  });

  test('numbers are one key whatever their type; long strings stay exact', async () => {
    await items.createIndex({ a: 1 }, { unique: true });
    await items.insertOne({ a: 1.5 });
    await refused(items.insertOne({ a: 1.5 }), 11000);
    const long = 'x'.repeat(5000);
    await items.insertMany([{ a: `${long}1` }, { a: `${long}2` }]);
    await refused(items.insertOne({ a: `${long}1` }), 11000);
    expect(await items.countDocuments({ a: `${long}2` })).toBe(1);
    expect(
      (
        await items
          .find({ a: { $gte: long } })
          .sort({ a: -1 })
          .toArray()
      ).map(({ a }) => a.at(-1)),
    ).toEqual(['2', '1']);
  });

  test('existing duplicates refuse the index, which is then not created', async () => {
    await items.insertMany([...many(3000), { _id: 'again' as never, n: 2999 }]);
    const error = await items.createIndex({ n: 1 }, { unique: true }).catch((caught) => caught);
    expect(error.code).toBe(11000);
    expect((await items.indexes()).map((index) => index.name)).toEqual(['_id_']);
    await items.createIndex({ n: 1 });
    expect(await items.countDocuments({ n: 2999 })).toBe(2);
  });

  test('one of two concurrent writers succeeds', async () => {
    await items.createIndex({ a: 1 }, { unique: true });
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => items.insertOne({ a: 1 })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

test('parallel arrays are refused and nothing is written', async () => {
  await items.createIndex({ a: 1, b: 1 });
  await refused(items.insertOne({ a: [1, 2], b: [3, 4] }), 171);
  await items.insertOne({ a: [1, 2], b: 3 });
  await refused(items.updateOne({}, { $set: { b: [1] } }), 171);
  expect(await items.find({}, { projection: { _id: 0 } }).toArray()).toEqual([{ a: [1, 2], b: 3 }]);
});

test('an index is built during writes, and contains them', async () => {
  await items.insertMany(many(20_000));
  const building = items.createIndex({ n: 1 });
  const writing = (async () => {
    for (let at = 0; at < 50; at++) {
      await items.insertOne({ _id: `new ${at}` as never, n: -at });
      await items.updateOne({ _id: at as never }, { $set: { n: 100_000 + at } });
      await items.deleteOne({ _id: (1000 + at) as never });
    }
  })();
  await Promise.all([building, writing]);
  const indexed = await items
    .find({ n: { $gt: Number.NEGATIVE_INFINITY } })
    .hint('n_1')
    .toArray();
  expect(indexed).toHaveLength(20_000);
  expect(new Set(indexed.map(({ n }) => n))).toEqual(
    new Set((await items.find().sort({ $natural: 1 }).toArray()).map(({ n }) => n)),
  );
});

test('queries find everything while an index becomes ready', async () => {
  await items.insertMany(many(20));
  for (let time = 0; time < 20; time++) {
    const building = items.createIndex({ n: 1 }, { name: `n_${time}` });
    let isReady = false;
    const settled = building.finally(() => {
      isReady = true;
    });
    while (!isReady) expect(await items.find({ n: { $gte: 0 } }).toArray()).toHaveLength(20);
    await settled;
    await items.dropIndex(`n_${time}`);
  }
});

test('a cursor whose index is dropped fails, and does not end as if it were complete', async () => {
  await items.insertMany(many(300));
  const name = await items.createIndex({ n: 1 });
  const cursor = items.find({ n: { $gte: 0 } }, { batchSize: 10 });
  expect(await cursor.next()).toMatchObject({ n: 0 });
  await items.dropIndex(name);
  await refused(cursor.toArray(), 175);
});

test('clients that create one index concurrently create it once, completely', async () => {
  const database = await server.database('at-once');
  for (const count of [0, 5000]) {
    const collection = database.collection(`items${count}`);
    if (count > 0) await collection.insertMany(Array.from({ length: count }, (_, n) => ({ n, m: n % 10 })));
    const others = await Promise.all(Array.from({ length: 6 }, () => server.database('at-once')));
    await Promise.all(
      others.map(async (other) => {
        const mine = other.collection(collection.collectionName);
        await mine.createIndexes([{ key: { n: 1 }, unique: true }, { key: { m: 1 } }]);
        const plan = await mine.find({ m: 3 }).explain('queryPlanner');
        expect(plan.queryPlanner.winningPlan.inputStage).toMatchObject({ indexName: 'm_1' });
      }),
    );
    expect((await collection.listIndexes().toArray()).map((index) => index.name)).toEqual(['_id_', 'n_1', 'm_1']);
  }
  const twice = database.collection('twice');
  await twice.insertMany([{ n: 1 }, { n: 1 }]);
  const refused = await Promise.allSettled([1, 2].map(() => twice.createIndex({ n: 1 }, { unique: true })));
  expect(refused.map((each) => each.status)).toEqual(['rejected', 'rejected']);
  expect(await twice.listIndexes().toArray()).toHaveLength(1);
});

describe('expiry', () => {
  test('expired documents are deleted, others stay', async () => {
    await items.createIndex({ at: 1 }, { expireAfterSeconds: 10 });
    const now = Date.now();
    await items.insertMany([
      { _id: 'old' as never, at: new Date(now - 11_000) },
      { _id: 'young' as never, at: new Date(now - 9000) },
      { _id: 'earliest counts' as never, at: [new Date(now), new Date(now - 20_000)] },
      { _id: 'no date' as never, at: 5 },
      { _id: 'without' as never },
    ]);
    await server.expire(new Date(now));
    expect((await items.find().toArray()).map(({ _id }) => _id)).toEqual(['young', 'no date', 'without']);
  });

  test('collMod changes the time', async () => {
    const database = await server.database('indexes');
    await items.createIndex({ at: 1 }, { expireAfterSeconds: 1000 });
    await items.insertOne({ at: new Date(Date.now() - 5000) });
    const changed = await database.command({
      collMod: items.collectionName,
      index: { keyPattern: { at: 1 }, expireAfterSeconds: 1 },
    });
    expect(changed).toMatchObject({ expireAfterSeconds_old: 1000, expireAfterSeconds_new: 1 });
    await server.expire(new Date());
    expect(await items.countDocuments()).toBe(0);
  });
});

test('collMod hides an index from the planner and shows it again', async () => {
  const database = await server.database('indexes');
  await items.createIndex({ n: 1 });
  await items.insertMany(many(10));
  const stage = async (): Promise<string> => {
    const plan = (await items.find({ n: 1 }).explain()).queryPlanner.winningPlan;
    return (plan.inputStage ?? plan).stage;
  };
  expect(await stage()).toBe('IXSCAN');
  await database.command({ collMod: items.collectionName, index: { name: 'n_1', hidden: true } });
  expect(await stage()).toBe('COLLSCAN');
  await database.command({ collMod: items.collectionName, index: { name: 'n_1', hidden: false } });
  expect(await stage()).toBe('IXSCAN');
});

// Earlier versions created an index twice for concurrent requests.
test('an index that is stored twice exists once after a start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'embedded-mongo-twins-'));
  const options = { dbPath: folder, sortMemoryBytes: 1, log: () => undefined, onFailure: () => undefined };
  const twinned = new Engine(options);
  const collection = await twinned.store.writer.run(() => {
    const made = twinned.catalog.create('db.items', {});
    for (const _twin of ['one', 'other']) {
      const spec = { v: 2, key: { a: 1 }, name: 'a_1', unique: true };
      made.indexes = [...made.indexes, new Index(twinned.catalog.newIndexRecord(spec as never, true))];
    }
    twinned.catalog.recordChanged(made);
    return made;
  });
  await twinned.store.writer.run(() => {
    for (let a = 0; a < 10; a++) {
      const { stored, document } = prepareDocument(serialize({ _id: a, a }));
      collection.insert(stored, document);
    }
  });
  await twinned.close();
  for (const _start of ['first', 'second']) {
    const engine = new Engine(options);
    const found = engine.catalog.get('db.items');
    expect(found.indexes.map((index) => index.name)).toEqual(['_id_', 'a_1']);
    const { plan } = planQuery(engine, found, { filter: { a: 7 } });
    expect(new Execution(engine.store, plan, new Budget()).next()).toMatchObject({ recordId: expect.anything() });
    await engine.close();
  }
  rmSync(folder, { recursive: true, force: true });
});
