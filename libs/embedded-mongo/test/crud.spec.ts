import { type Collection, Double, Int32, Long, ObjectId, UUID } from 'mongodb';
import { TestServer } from './test-server';

/** The operations of the drivers' shared CRUD specification, through the official driver. */

interface Item {
  _id: number | string | ObjectId;
  x?: any;
  [field: string]: any;
}

let server: TestServer;
let items: Collection<Item>;
let name = 0;

beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.stop());
beforeEach(async () => {
  items = (await server.database('crud')).collection(`items${++name}`);
  await items.insertMany([
    { _id: 1, x: 11 },
    { _id: 2, x: 22 },
    { _id: 3, x: 33 },
  ]);
});

const all = (): Promise<Item[]> => items.find().toArray();

describe('insert', () => {
  test('one document, with and without _id', async () => {
    expect(await items.insertOne({ _id: 4, x: 44 })).toEqual({ acknowledged: true, insertedId: 4 });
    const { insertedId } = await items.insertOne({ x: 55 } as Item);
    expect(insertedId).toBeInstanceOf(ObjectId);
    expect(await items.countDocuments()).toBe(5);
  });

  test('ordered: nothing is tried after a failure', async () => {
    const error = await items.insertMany([{ _id: 4 }, { _id: 1 }, { _id: 5 }]).catch((caught) => caught);
    expect(error.code).toBe(11000);
    expect(error.result.insertedCount).toBe(1);
    expect(await items.countDocuments({ _id: { $in: [4, 5] } })).toBe(1);
  });

  test('unordered: all others are inserted, and every failure has its index', async () => {
    const error = await items
      .insertMany([{ _id: 1 }, { _id: 4 }, { _id: 2 }, { _id: 5 }], { ordered: false })
      .catch((caught) => caught);
    expect(error.writeErrors.map((each: { index: number; code: number }) => [each.index, each.code])).toEqual([
      [0, 11000],
      [2, 11000],
    ]);
    expect(error.result.insertedCount).toBe(2);
  });

  test('a duplicate key names index, pattern and value', async () => {
    const error = await items.insertOne({ _id: 1 }).catch((caught) => caught);
    expect(error.message).toBe(
      `E11000 duplicate key error collection: crud.items${name} index: _id_ dup key: { _id: 1 }`,
    );
    expect(error.keyPattern).toEqual({ _id: 1 });
    expect(error.keyValue).toEqual({ _id: 1 });
  });

  test('_id is stored first, wherever it was', async () => {
    await items.insertOne({ x: 1, _id: 'late' } as Item);
    expect(Object.keys((await items.findOne({ _id: 'late' }))!)).toEqual(['_id', 'x']);
  });

  test('types are stored unchanged', async () => {
    const raw = { _id: 9, i: new Int32(1), d: new Double(1), l: Long.fromNumber(1), u: new UUID(), n: null };
    await items.insertOne(raw as unknown as Item);
    const found = await items.findOne({ _id: 9 }, { promoteValues: false });
    expect(found).toMatchObject({ i: new Int32(1), d: new Double(1), l: Long.fromNumber(1), n: null });
  });

  test('a document above 16 MiB is refused', async () => {
    const error = await items.insertOne({ _id: 4, x: 'x'.repeat(16 * 1024 * 1024) }).catch((caught) => caught);
    expect(error.message).toMatch(/too large|larger than/i);
    expect(await items.countDocuments({ _id: 4 })).toBe(0);
  });

  test('_id may be null but neither an array nor a regular expression', async () => {
    // Drivers replace a null _id of an insert by an ObjectId, but not in an upsert.
    await items.updateOne({ _id: null } as never, { $set: { x: 1 } }, { upsert: true });
    expect(await items.findOne({ _id: null } as never)).toEqual({ _id: null, x: 1 });
    for (const _id of [[1], /a/])
      await expect(items.insertOne({ _id } as unknown as Item)).rejects.toMatchObject({ code: 53 });
  });
});

describe('find', () => {
  test('filter, sort, skip, limit and projection', async () => {
    expect(
      await items
        .find({ _id: { $gt: 1 } })
        .sort({ _id: -1 })
        .toArray(),
    ).toEqual([
      { _id: 3, x: 33 },
      { _id: 2, x: 22 },
    ]);
    expect(await items.find().skip(1).limit(1).project({ _id: 0 }).toArray()).toEqual([{ x: 22 }]);
  });

  test('batches continue at the end of the previous one', async () => {
    await items.insertMany(Array.from({ length: 997 }, (_, at) => ({ _id: at + 4 })));
    const found = await items.find().batchSize(7).toArray();
    expect(found.map(({ _id }) => _id)).toEqual(Array.from({ length: 1000 }, (_, at) => at + 1));
  });

  test('a limit applies across batches', async () => {
    await items.insertMany(Array.from({ length: 50 }, (_, at) => ({ _id: at + 4 })));
    expect(await items.find().limit(20).batchSize(6).toArray()).toHaveLength(20);
  });

  test('the order of storage is the natural order, both ways', async () => {
    await items.insertOne({ _id: 0 });
    expect((await items.find().toArray()).map(({ _id }) => _id)).toEqual([1, 2, 3, 0]);
    expect((await items.find().sort({ $natural: -1 }).toArray()).map(({ _id }) => _id)).toEqual([0, 3, 2, 1]);
  });

  test('let is evaluated before the filter', async () => {
    expect(await items.find({ $expr: { $eq: ['$x', '$$wanted'] } }, { let: { wanted: 22 } }).toArray()).toEqual([
      { _id: 2, x: 22 },
    ]);
  });

  test('a collection that does not exist is empty, and its query is checked all the same', async () => {
    const nothing = items.find().toArray();
    await nothing;
    const missing = (await server.database('crud')).collection('missing');
    expect(await missing.find({ a: 1 }).toArray()).toEqual([]);
    await expect(missing.find({ $frobnicate: 1 }).toArray()).rejects.toMatchObject({ code: 2 });
  });

  test('an unsupported option is refused, not ignored', async () => {
    await expect(items.find({}, { returnKey: true }).toArray()).rejects.toMatchObject({ code: 115 });
    await expect(items.find({}, { min: { _id: 1 }, hint: { _id: 1 } }).toArray()).rejects.toMatchObject({ code: 115 });
  });
});

describe('update', () => {
  test('one, many and none', async () => {
    expect(await items.updateOne({ _id: { $gt: 1 } }, { $inc: { x: 1 } })).toMatchObject({
      matchedCount: 1,
      modifiedCount: 1,
    });
    expect(await items.updateMany({ _id: { $gt: 1 } }, { $inc: { x: 1 } })).toMatchObject({
      matchedCount: 2,
      modifiedCount: 2,
    });
    expect(await items.updateOne({ _id: 9 }, { $inc: { x: 1 } })).toMatchObject({ matchedCount: 0, upsertedCount: 0 });
    expect(await all()).toEqual([
      { _id: 1, x: 11 },
      { _id: 2, x: 24 },
      { _id: 3, x: 34 },
    ]);
  });

  test('an update without effect is matched and not modified', async () => {
    expect(await items.updateOne({ _id: 1 }, { $set: { x: 11 } })).toMatchObject({ matchedCount: 1, modifiedCount: 0 });
  });

  test('upsert uses equalities of the filter, and returns the new _id', async () => {
    expect(await items.updateOne({ _id: 4 }, { $inc: { x: 1 } }, { upsert: true })).toMatchObject({
      matchedCount: 0,
      upsertedId: 4,
    });
    const { upsertedId } = await items.updateMany({ a: 5, b: { $gt: 1 } }, { $set: { x: 1 } }, { upsert: true });
    expect(await items.findOne({ _id: upsertedId as unknown as ObjectId })).toEqual({ _id: upsertedId, a: 5, x: 1 });
  });

  test('replacement keeps _id and refuses another', async () => {
    expect(await items.replaceOne({ _id: 1 }, { y: 1 })).toMatchObject({ matchedCount: 1, modifiedCount: 1 });
    expect(await items.findOne({ _id: 1 })).toEqual({ _id: 1, y: 1 });
    await expect(items.replaceOne({ _id: 1 }, { _id: 2 } as Item)).rejects.toMatchObject({ code: 66 });
    await expect(items.updateOne({ _id: 1 }, { $set: { _id: 2 } })).rejects.toMatchObject({ code: 66 });
  });

  test('array filters, the positional operator and pipelines', async () => {
    await items.insertOne({ _id: 4, y: [{ b: 3 }, { b: 0 }, { b: 1 }] });
    await items.updateOne({ _id: 4 }, { $set: { 'y.$[i].b': 2 } }, { arrayFilters: [{ 'i.b': { $gte: 1 } }] });
    await items.updateOne({ _id: 4, 'y.b': 0 }, { $set: { 'y.$.b': 7, 'y.$.c': 8 } });
    expect(await items.findOne({ _id: 4 })).toEqual({ _id: 4, y: [{ b: 2 }, { b: 7, c: 8 }, { b: 2 }] });
    await items.updateOne({ _id: 1 }, [{ $set: { y: { $add: ['$x', 1] } } }, { $unset: 'x' }]);
    expect(await items.findOne({ _id: 1 })).toEqual({ _id: 1, y: 12 });
  });

  test('bulk writes count each kind', async () => {
    const result = await items.bulkWrite([
      { insertOne: { document: { _id: 4, x: 44 } } },
      { updateOne: { filter: { _id: 2 }, update: { $inc: { x: 2 } } } },
      { updateMany: { filter: { _id: { $gt: 1 } }, update: { $inc: { x: 2 } } } },
      { replaceOne: { filter: { _id: 5 }, replacement: { x: 55 }, upsert: true } },
      { deleteOne: { filter: { _id: 1 } } },
      { deleteMany: { filter: { x: { $gt: 40, $lt: 50 } } } },
    ]);
    expect(result).toMatchObject({
      insertedCount: 1,
      matchedCount: 4,
      modifiedCount: 4,
      upsertedCount: 1,
      deletedCount: 2,
      upsertedIds: { 3: 5 },
    });
    expect(await all()).toEqual([
      { _id: 2, x: 26 },
      { _id: 3, x: 35 },
      { _id: 5, x: 55 },
    ]);
  });

  test('many documents are updated without delay of others by a collection scan', async () => {
    await items.insertMany(Array.from({ length: 5000 }, (_, at) => ({ _id: at + 4, x: at })));
    expect(await items.updateMany({ x: { $gte: 0 } }, { $inc: { x: 1 }, $set: { seen: true } })).toMatchObject({
      matchedCount: 5003,
    });
    expect(await items.countDocuments({ seen: true })).toBe(5003);
  });

  test('documents moved in the index by their own update are met once', async () => {
    await items.createIndex({ x: 1 });
    await items.updateMany({ x: { $gt: 0 } }, { $inc: { x: 100 } });
    expect((await all()).map(({ x }) => x)).toEqual([111, 122, 133]);
  });
});

describe('findAndModify', () => {
  test('returns the document before or after', async () => {
    expect(await items.findOneAndUpdate({ _id: 1 }, { $inc: { x: 1 } })).toEqual({ _id: 1, x: 11 });
    expect(await items.findOneAndUpdate({ _id: 1 }, { $inc: { x: 1 } }, { returnDocument: 'after' })).toEqual({
      _id: 1,
      x: 13,
    });
    expect(
      await items.findOneAndReplace({ _id: 1 }, { x: 0 }, { returnDocument: 'after', projection: { _id: 0 } }),
    ).toEqual({ x: 0 });
  });

  test('sorts, upserts and deletes', async () => {
    expect(await items.findOneAndDelete({ x: { $gt: 0 } }, { sort: { x: -1 } })).toEqual({ _id: 3, x: 33 });
    expect(await items.findOneAndUpdate({ _id: 4 }, { $set: { x: 1 } }, { upsert: true })).toBeNull();
    const raw = await items.findOneAndUpdate(
      { _id: 5 },
      { $set: { x: 1 } },
      { upsert: true, returnDocument: 'after', includeResultMetadata: true },
    );
    expect(raw).toMatchObject({
      lastErrorObject: { n: 1, updatedExisting: false, upserted: 5 },
      value: { _id: 5, x: 1 },
    });
    expect(await items.findOneAndDelete({ _id: 99 })).toBeNull();
  });

  test('concurrent calls return different numbers', async () => {
    const next = (): Promise<Item | null> =>
      items.findOneAndUpdate({ _id: 'counter' }, { $inc: { x: 1 } }, { upsert: true, returnDocument: 'after' });
    const taken = await Promise.all(Array.from({ length: 100 }, next));
    expect(taken.map((item) => item!.x).sort((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 100 }, (_, at) => at + 1),
    );
  });
});

describe('delete, count, distinct', () => {
  test('deletes one or all', async () => {
    expect(await items.deleteOne({ _id: { $gt: 1 } })).toMatchObject({ deletedCount: 1 });
    expect(await items.deleteMany({})).toMatchObject({ deletedCount: 2 });
    expect(await items.estimatedDocumentCount()).toBe(0);
  });

  test('counts with skip and limit', async () => {
    expect(await items.countDocuments({ x: { $gt: 11 } })).toBe(2);
    expect(await items.countDocuments({}, { skip: 1, limit: 1 })).toBe(1);
    expect(await items.countDocuments({ x: 0 })).toBe(0);
  });

  test('distinct values, elements of arrays one by one', async () => {
    await items.insertMany([{ _id: 4, x: [11, 44] }, { _id: 5 }]);
    expect((await items.distinct('x')).sort()).toEqual([11, 22, 33, 44]);
    expect(await items.distinct('x', { _id: { $gt: 3 } })).toEqual([11, 44]);
  });
});

describe('collections and databases', () => {
  test('create, list, rename, drop', async () => {
    const database = await server.database('naming');
    await database.createCollection('first');
    await expect(database.createCollection('first')).rejects.toMatchObject({ code: 48, codeName: 'NamespaceExists' });
    await database.collection<Item>('first').insertOne({ _id: 1 });
    await database.collection<Item>('first').createIndex({ x: 1 });
    await database.renameCollection('first', 'second');
    expect((await database.listCollections().toArray()).map((each) => each.name)).toEqual(['second']);
    expect(await database.collection<Item>('second').find({ _id: 1 }).toArray()).toEqual([{ _id: 1 }]);
    expect(await database.collection('second').indexExists('x_1')).toBe(true);
    expect(await database.dropCollection('second')).toBe(true);
    expect(await database.collection('second').drop()).toBe(true);
    expect(await database.listCollections().toArray()).toEqual([]);
  });

  test('a dropped and recreated collection is empty', async () => {
    await items.drop();
    await items.insertOne({ _id: 1, x: 'new' });
    expect(await all()).toEqual([{ _id: 1, x: 'new' }]);
  });

  test('databases are listed with their sizes, and dropped', async () => {
    const database = await server.database('short-lived');
    await database.collection('a').insertOne({});
    const { databases } = await database.admin().listDatabases();
    expect(databases.map((each) => each.name)).toContain('short-lived');
    await database.dropDatabase();
    expect((await database.admin().listDatabases()).databases.map((each) => each.name)).not.toContain('short-lived');
  });

  test('names MongoDB refuses are refused', async () => {
    const database = await server.database('crud');
    await expect(database.command({ create: 'a$b' })).rejects.toMatchObject({ code: 73 });
    await expect(database.command({ create: '.a' })).rejects.toMatchObject({ code: 73 });
  });
});

test('a collection that is dropped during writes stays dropped, and no acknowledged write moves elsewhere', async () => {
  const collection = items.collectionName;
  const counts: Promise<unknown>[] = [];
  for (let round = 0; round < 30; round++) {
    counts.push(
      items.updateOne({ _id: `u${round}` }, { $set: { x: round } }, { upsert: true }),
      items.insertOne({ _id: `i${round}` }),
      items.updateMany({ x: { $gte: 0 } }, { $inc: { x: 1 } }),
      items.createIndex({ x: 1 }),
    );
    if (round % 5 === 4) counts.push(items.drop());
  }
  for (const result of await Promise.allSettled(counts)) {
    if (result.status === 'rejected') expect(result.reason.code).toBe(175);
  }
  const before = await items.find().sort({ _id: 1 }).toArray();
  expect(await items.estimatedDocumentCount()).toBe(before.length);
  await server.restart();
  items = (await server.database('crud')).collection(collection);
  expect(await items.find().sort({ _id: 1 }).toArray()).toEqual(before);
  expect(await items.estimatedDocumentCount()).toBe(before.length);
});

test('all data exists after a restart', async () => {
  await items.createIndex({ x: 1 }, { unique: true });
  const collection = items.collectionName;
  await server.restart();
  items = (await server.database('crud')).collection(collection);
  expect(await all()).toEqual([
    { _id: 1, x: 11 },
    { _id: 2, x: 22 },
    { _id: 3, x: 33 },
  ]);
  await expect(items.insertOne({ _id: 4, x: 11 })).rejects.toMatchObject({ code: 11000 });
  await items.insertOne({ _id: 4, x: 44 });
  expect(await items.estimatedDocumentCount()).toBe(4);
});
