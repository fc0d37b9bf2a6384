import type { Collection, Db, Document } from 'mongodb';
import type { Scan } from '../src';
import { TestServer } from './test-server';

/** Pipelines as commands: cursors, other collections, writing. The results of stages are tested beside them. */

let server: TestServer;
let database: Db;
let orders: Collection<Document>;
let name = 0;

beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.stop());
beforeEach(async () => {
  database = await server.database(`aggregation${++name}`);
  orders = database.collection('orders');
  await orders.insertMany(
    Array.from({ length: 1000 }, (_, _id) => ({
      _id,
      customer: _id % 10,
      price: _id,
      day: new Date(2024, 0, 1 + (_id % 28)),
    })) as Document[],
  );
  await database
    .collection('customers')
    .insertMany(Array.from({ length: 10 }, (_, _id) => ({ _id, name: `customer ${_id}` })) as Document[]);
});

test('batches continue at the end of the previous one', async () => {
  const found = await orders
    .aggregate([{ $match: { price: { $gte: 100 } } }, { $set: { twice: { $multiply: ['$price', 2] } } }], {
      batchSize: 7,
    })
    .toArray();
  expect(found).toHaveLength(900);
  expect(found.at(-1)).toMatchObject({ price: 999, twice: 1998 });
});

test('groups, sorts and counts', async () => {
  const groups = await orders
    .aggregate([
      { $group: { _id: '$customer', total: { $sum: '$price' }, n: { $sum: 1 } } },
      { $sort: { total: -1 } },
      { $limit: 2 },
    ])
    .toArray();
  expect(groups).toEqual([
    { _id: 9, total: 50400, n: 100 },
    { _id: 8, total: 50300, n: 100 },
  ]);
  expect(await orders.aggregate([{ $match: { customer: 3 } }, { $count: 'n' }]).toArray()).toEqual([{ n: 100 }]);
});

test('$match and $sort at the beginning use an index', async () => {
  await orders.createIndex({ customer: 1, price: -1 });
  const pipeline = [
    { $match: { customer: 3 } },
    { $sort: { price: -1 } },
    { $limit: 5 },
    { $group: { _id: null, n: { $sum: 1 } } },
  ];
  const explained = await orders.aggregate(pipeline).explain('executionStats');
  expect(explained.stages[0].$cursor.executionStats).toMatchObject({ totalKeysExamined: 5, totalDocsExamined: 5 });
  expect(explained.stages[1]).toHaveProperty('$group');
});

test('$lookup and $unionWith read other collections', async () => {
  const joined = await orders
    .aggregate([
      { $match: { _id: { $in: [3, 14] } } },
      { $lookup: { from: 'customers', localField: 'customer', foreignField: '_id', as: 'who' } },
      { $unwind: '$who' },
      { $project: { name: '$who.name' } },
    ])
    .toArray();
  expect(joined).toEqual([
    { _id: 3, name: 'customer 3' },
    { _id: 14, name: 'customer 4' },
  ]);
  const expensive = await database
    .collection('customers')
    .aggregate([
      {
        $lookup: {
          from: 'orders',
          let: { id: '$_id' },
          pipeline: [
            { $match: { $expr: { $eq: ['$customer', '$$id'] }, price: { $gt: 990 } } },
            { $project: { price: 1 } },
          ],
          as: 'orders',
        },
      },
      { $match: { _id: 5 } },
    ])
    .toArray();
  expect(expensive).toEqual([{ _id: 5, name: 'customer 5', orders: [{ _id: 995, price: 995 }] }]);
  const both = await orders
    .aggregate([{ $match: { _id: { $lt: 2 } } }, { $unionWith: 'customers' }, { $count: 'n' }])
    .toArray();
  expect(both).toEqual([{ n: 12 }]);
});

test('$unionWith reads each collection by its index, and nothing of a missing one', async () => {
  const scans: Scan[] = [];
  const own = await TestServer.start({ onScan: (scan) => scans.push(scan) });
  const ours = await own.database('union');
  const held = [{ id: 'a' }, { id: 'b' }];
  for (const name of ['first', 'second']) {
    const documents = Array.from({ length: 500 }, (_, _id) => (_id % 250 === 7 ? { _id, held } : { _id }));
    await ours.collection(name).insertMany(documents as Document[]);
    await ours.collection(name).createIndex({ 'held.id': 1 }, { sparse: true });
  }
  const pipeline = [{ $match: { 'held.id': { $gt: '' } } }, { $project: { _id: 1 } }];
  const unions = ['absent', 'second', 'absent too'].map((coll) => ({ $unionWith: { coll, pipeline } }));
  const found = (name: string) => ours.collection(name).aggregate([...pipeline, ...unions], { batchSize: 1 });
  // Once each, though both of the ids are in the index.
  expect(await found('first').toArray()).toEqual([{ _id: 7 }, { _id: 257 }, { _id: 7 }, { _id: 257 }]);
  expect(await found('absent').toArray()).toEqual([{ _id: 7 }, { _id: 257 }]);
  expect(scans).toEqual([]);
  const whole = [...pipeline, { $unionWith: { coll: 'second', pipeline: [{ $match: { unindexed: 1 } }] } }];
  await ours.collection('first').aggregate(whole).toArray();
  expect(scans).toEqual([{ namespace: 'union.second', documents: 500, filter: 'unindexed', sort: [] }]);
  await own.stop();
});

describe('a union of queries and counts', () => {
  const within = (of: number) => ({ $replaceWith: { of: { $literal: of }, document: '$$ROOT' } });
  const some = { $match: { customer: 3 } };
  const newest = [{ $sort: { price: -1 } }, { $skip: 1 }, { $limit: 3 }];
  const count = { $group: { _id: 1, n: { $sum: 1 } } };
  const others = (pipeline: Document[], coll = 'customers') => ({ $unionWith: { coll, pipeline } });
  const unions: [string, Document[]][] = [
    ['of whole documents', [some, others([{ $match: { _id: { $gt: 7 } } }])]],
    ['of a page', [some, ...newest, others([])]],
    ['of documents within others', [some, ...newest, within(0), others([within(1)]), others([within(2)], 'orders')]],
    [
      'with other types around',
      [some, { $replaceWith: { a: { $literal: [1, { b: 'ü' }] }, é: '$$ROOT' } }, others([])],
    ],
    ['with a document twice', [some, { $replaceWith: { one: '$$ROOT', two: '$$ROOT' } }, others([])]],
    ['of a count', [some, others([some, { $limit: 40 }, count, within(1)], 'orders'), others([count])]],
    ['that begins with a count', [some, count, within(0), others([])]],
    ['of a count of nothing', [others([{ $match: { none: 1 } }, count, within(1)])]],
    ['of some fields', [some, { $project: { _id: 0, day: 1 } }, within(0), others([{ $project: { name: 0 } }])]],
    ['of computed fields', [some, { $project: { twice: { $multiply: ['$price', 2] } } }, others([])]],
    ['of fields within', [some, { $project: { 'a.b': 1 } }, others([{ $project: { name: '$name' } }])]],
    ['of nothing', [others([], 'absent'), others([within(1)], 'absent')]],
    ['with a stage behind', [some, others([within(1)]), { $limit: 101 }]],
    ['with a filter at each place', [{ $match: { none: 1 } }, others([{ $match: { _id: 1 } }]), others([])]],
  ];

  test.each(unions)('%s returns what its stages say', async (_, stages) => {
    const find = (pipeline: Document[], batchSize?: number) =>
      orders.aggregate(pipeline, { ...(batchSize && { batchSize }) }).toArray();
    // With a further stage every document goes through all of them.
    const expected = await find([...stages, { $match: {} }]);
    expect(await find(stages)).toEqual(expected);
    expect(await find(stages, 2)).toEqual(expected);
  });

  test.each([
    [{ $project: { name: 1, price: 0 } }, 'Cannot do exclusion'],
    [{ $replaceWith: 5 }, ''],
    [{ $replaceWith: { 'a.b': '$$ROOT' } }, ''],
    [{ $match: { $wrong: 1 } }, 'unknown top level operator'],
  ])('is refused for %j at each place', async (stage, message) => {
    for (const pipeline of [[some, stage, others([])], [others([{ $limit: 1 }, stage])]]) {
      await expect(orders.aggregate(pipeline).toArray()).rejects.toThrow(message);
    }
  });

  test('reads large documents in several batches', async () => {
    const large = database.collection<Document>('large');
    await large.insertMany(Array.from({ length: 60 }, (_, _id) => ({ _id, text: 'x'.repeat(100_000) })) as Document[]);
    const cursor = orders.aggregate([{ $limit: 2 }, within(0), others([within(1)], 'large')], { batchSize: 1000 });
    expect(await cursor.hasNext()).toBe(true);
    expect(cursor.bufferedCount()).toBeLessThan(45);
    expect(await cursor.toArray()).toHaveLength(62);
  });

  test('ends with an error when a collection is dropped that it reads', async () => {
    const cursor = orders.aggregate([{ $match: {} }, others([])], { batchSize: 10 });
    await cursor.next();
    await orders.drop();
    await expect(cursor.toArray()).rejects.toMatchObject({ code: 175 });
  });
});

test('$facet returns several results of one read', async () => {
  const [facets] = await orders
    .aggregate([
      { $facet: { first: [{ $sort: { _id: 1 } }, { $limit: 1 }, { $project: { _id: 1 } }], n: [{ $count: 'n' }] } },
    ])
    .toArray();
  expect(facets).toEqual({ first: [{ _id: 0 }], n: [{ n: 1000 }] });
});

describe('$out', () => {
  test('replaces a collection and keeps its indexes', async () => {
    const target = database.collection('target');
    await target.insertOne({ old: true });
    await target.createIndex({ total: 1 });
    const totals = [{ $group: { _id: '$customer', total: { $sum: '$price' } } }, { $out: 'target' }];
    expect(await orders.aggregate(totals).toArray()).toEqual([]);
    expect(await target.countDocuments()).toBe(10);
    expect(await target.indexExists('total_1')).toBe(true);
    expect((await database.listCollections().toArray()).map((each) => each.name)).toEqual([
      'customers',
      'orders',
      'target',
    ]);
  });

  test('does not change the target if the pipeline fails', async () => {
    const target = database.collection('target');
    await target.insertOne({ _id: 'old' as never, total: 1 });
    await target.createIndex({ same: 1 }, { unique: true });
    const duplicates = [{ $project: { same: 'x' } }, { $out: 'target' }];
    await expect(orders.aggregate(duplicates).toArray()).rejects.toMatchObject({ code: 11000 });
    expect(await target.find().toArray()).toEqual([{ _id: 'old', total: 1 }]);
  });
});

describe('$merge', () => {
  // The error did not name the existing key.
  test('an existing document fails it, and the error has its key', async () => {
    const customers = database.collection('customers');
    const twice = customers.aggregate([{ $match: { _id: 3 } }, { $merge: { into: 'customers', whenMatched: 'fail' } }]);
    await expect(twice.toArray()).rejects.toMatchObject({
      code: 11000,
      errorResponse: { code: 11000, keyPattern: { _id: 1 }, keyValue: { _id: 3 } },
      message: expect.stringMatching(
        /E11000 duplicate key error collection: .*customers index: _id_ dup key: { _id: 3 }/,
      ),
    });
  });

  const groups = (merge: Document): Document[] => [
    { $match: { customer: { $lt: 2 } } },
    { $group: { _id: '$customer', n: { $sum: 1 } } },
    { $merge: merge },
  ];

  test('merges, replaces, keeps, fails, and applies a pipeline', async () => {
    const target = database.collection('target');
    const reset = async (): Promise<void> => {
      await target.deleteMany({});
      await target.insertOne({ _id: 0 as never, n: 5, kept: true });
    };
    const sorted = (): Promise<Document[]> => target.find().sort({ _id: 1 }).toArray();
    await reset();
    await orders.aggregate(groups({ into: 'target' })).toArray();
    expect(await sorted()).toEqual([
      { _id: 0, n: 100, kept: true },
      { _id: 1, n: 100 },
    ]);
    await reset();
    await orders.aggregate(groups({ into: 'target', whenMatched: 'replace', whenNotMatched: 'discard' })).toArray();
    expect(await sorted()).toEqual([{ _id: 0, n: 100 }]);
    await reset();
    await orders
      .aggregate(groups({ into: 'target', whenMatched: [{ $set: { n: { $add: ['$n', '$$new.n'] } } }] }))
      .toArray();
    expect(await sorted()).toEqual([
      { _id: 0, n: 105, kept: true },
      { _id: 1, n: 100 },
    ]);
    await reset();
    await expect(orders.aggregate(groups({ into: 'target', whenMatched: 'fail' })).toArray()).rejects.toMatchObject({
      code: 11000,
    });
    await expect(orders.aggregate(groups({ into: 'target', whenNotMatched: 'fail' })).toArray()).rejects.toMatchObject({
      code: 13113,
    });
    await expect(orders.aggregate(groups({ into: 'target', on: 'n' })).toArray()).rejects.toMatchObject({
      code: 51183,
    });
  });
});

test('an unsupported stage is refused, also on an empty collection', async () => {
  const nothing = database.collection('nothing');
  await expect(nothing.aggregate([{ $frobnicate: 1 }]).toArray()).rejects.toMatchObject({ code: 40324 });
  await expect(nothing.aggregate([{ $geoNear: {} }]).toArray()).rejects.toMatchObject({ code: 115 });
  await expect(nothing.watch().next()).rejects.toMatchObject({ code: 40573 });
  await expect(database.aggregate([{ $match: {} }]).toArray()).rejects.toMatchObject({ code: 73 });
});
