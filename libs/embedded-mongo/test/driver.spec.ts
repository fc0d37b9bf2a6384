import { type Collection, type CommandStartedEvent, type Document, MongoClient } from 'mongodb';
import { TestServer } from './test-server';

/** Options and refusals of the drivers' specifications, through the official driver. */

let server: TestServer;
let client: MongoClient;
let items: Collection<Document>;
let name = 0;

beforeAll(async () => {
  server = await TestServer.start();
  client = await server.connect();
});
afterAll(() => server.stop());
beforeEach(async () => {
  items = client.db('driver').collection(`items${++name}`);
  await items.insertMany([
    { _id: 1, x: 11, name: 'Apple' },
    { _id: 2, x: 22, name: 'banana' },
    { _id: 3, x: 33, name: 'cherry' },
  ] as Document[]);
});

const id = (value: number): Document => ({ _id: value });

describe('unacknowledged writes', () => {
  test('are executed without an answer, also if they fail', async () => {
    const options = { writeConcern: { w: 0 } };
    expect(await items.insertOne(id(4), options)).toMatchObject({ acknowledged: false });
    expect(await items.insertOne(id(4), options)).toMatchObject({ acknowledged: false });
    expect(await items.updateOne(id(1), { $set: { x: 12 } }, options)).toMatchObject({ acknowledged: false });
    expect(await items.updateOne(id(1), { $frobnicate: { x: 12 } }, options)).toMatchObject({ acknowledged: false });
    expect(await items.deleteOne(id(2), options)).toMatchObject({ acknowledged: false });
    expect(await items.bulkWrite([{ insertOne: { document: id(5) } }], options)).toBeDefined();
    await expectIds([1, 3, 4, 5]);
    expect(await items.findOne(id(1))).toMatchObject({ x: 12 });
  });

  // An unacknowledged write has its own connection, and another may overtake it.
  async function expectIds(ids: number[]): Promise<void> {
    let found: number[] = [];
    for (let attempt = 0; attempt < 200 && found.length !== ids.length; attempt++) {
      found = (await items.find().sort({ _id: 1 }).toArray()).map(({ _id }) => Number(_id));
    }
    expect(found).toEqual(ids);
  }
});

describe('hint', () => {
  beforeEach(() => items.createIndex({ x: 1 }, { name: 'by x' }));

  test.each<[string, (hint: Document) => Promise<unknown>]>([
    ['find', (hint) => items.find({ x: 22 }, { hint }).toArray()],
    ['count', (hint) => items.countDocuments({ x: 22 }, { hint })],
    ['aggregate', (hint) => items.aggregate([{ $match: { x: 22 } }], { hint }).toArray()],
    ['updateOne', (hint) => items.updateOne({ x: 22 }, { $set: { y: 1 } }, { hint })],
    ['updateMany', (hint) => items.updateMany({ x: 22 }, { $set: { y: 2 } }, { hint })],
    ['replaceOne', (hint) => items.replaceOne({ x: 22 }, { x: 22 }, { hint })],
    ['findOneAndUpdate', (hint) => items.findOneAndUpdate({ x: 22 }, { $set: { y: 1 } }, { hint })],
    ['findOneAndReplace', (hint) => items.findOneAndReplace({ x: 22 }, { x: 22 }, { hint })],
    ['findOneAndDelete', (hint) => items.findOneAndDelete({ x: 99 }, { hint })],
    ['distinct', (hint) => items.distinct('x', { x: 22 }, { hint })],
    ['deleteOne', (hint) => items.deleteOne({ x: 22 }, { hint })],
    ['deleteMany', (hint) => items.deleteMany({ x: 22 }, { hint })],
    ['bulkWrite', (hint) => items.bulkWrite([{ updateOne: { filter: { x: 22 }, update: { $set: { z: 1 } }, hint } }])],
  ])('of %s is accepted by name and by key, and refused if unknown', async (_name, run) => {
    await run('by x' as never);
    await run({ x: 1 });
    await expect(run('by nothing' as never)).rejects.toMatchObject({ code: 2 });
  });
});

describe('comment', () => {
  test.each<[string, (comment: unknown) => Promise<unknown>]>([
    ['find', (comment) => items.find({}, { comment: comment as string, batchSize: 1 }).toArray()],
    ['aggregate', (comment) => items.aggregate([], { comment }).toArray()],
    ['count', (comment) => items.estimatedDocumentCount({ comment })],
    ['insertOne', (comment) => items.insertOne({}, { comment })],
    ['updateOne', (comment) => items.updateOne({}, { $set: { a: 1 } }, { comment })],
    ['findOneAndUpdate', (comment) => items.findOneAndUpdate({}, { $set: { a: 2 } }, { comment })],
    ['distinct', (comment) => items.distinct('x', {}, { comment })],
    ['deleteMany', (comment) => items.deleteMany({ x: 0 }, { comment })],
    ['createIndex', (comment) => items.createIndex({ y: 1 }, { comment })],
  ])('of any type is accepted by %s', async (_name, run) => {
    await run('text');
    await run({ key: ['value', 1] });
  });
});

describe('let', () => {
  const variables = { let: { wanted: 22 } };
  const filter = { $expr: { $eq: ['$x', '$$wanted'] } };

  test('is seen by find, aggregate and $lookup', async () => {
    expect(await items.find(filter, variables).toArray()).toHaveLength(1);
    expect(await items.aggregate([{ $match: filter }], variables).toArray()).toHaveLength(1);
    const lookup = { from: items.collectionName, let: { x: '$x' }, as: 'same', pipeline: [] as Document[] };
    lookup.pipeline = [{ $match: { $expr: { $and: [{ $eq: ['$x', '$$x'] }, { $eq: ['$x', '$$wanted'] }] } } }];
    const joined = await items.aggregate([{ $lookup: lookup }, { $match: { 'same.0': { $exists: true } } }], variables);
    expect((await joined.toArray()).map(({ _id }) => _id)).toEqual([2]);
  });

  test('is seen by writes', async () => {
    const pipeline = [{ $set: { y: '$$wanted' } }];
    expect(await items.updateMany(filter, pipeline, variables)).toMatchObject({ modifiedCount: 1 });
    expect(await items.findOneAndUpdate(filter, pipeline, { ...variables, returnDocument: 'after' })).toMatchObject({
      y: 22,
    });
    expect(await items.deleteOne(filter, variables)).toMatchObject({ deletedCount: 1 });
    await expect(items.find({ $expr: { $eq: ['$x', '$$unknown'] } }, variables).toArray()).rejects.toMatchObject({
      code: 17276,
    });
  });
});

describe('collation', () => {
  const collation = { locale: 'en', strength: 2 };

  test('of a query applies to filter, sort, distinct, count and writes', async () => {
    expect(await items.find({ name: 'APPLE' }, { collation }).toArray()).toHaveLength(1);
    expect((await items.find().sort({ name: 1 }).toArray()).map(({ _id }) => _id)).toEqual([1, 2, 3]);
    await items.insertMany([
      { _id: 4, name: 'Banana' },
      { _id: 5, name: 'zebra' },
      { _id: 6, name: 'Zoo' },
    ] as never);
    expect((await items.find().sort({ name: 1 }).collation(collation).toArray()).map((each) => each.name)).toEqual([
      'Apple',
      'banana',
      'Banana',
      'cherry',
      'zebra',
      'Zoo',
    ]);
    expect(await items.distinct('name', { _id: { $in: [2, 4] } } as never, { collation })).toHaveLength(1);
    expect(await items.countDocuments({ name: { $in: ['BANANA', 'ZOO'] } }, { collation })).toBe(3);
    expect(await items.aggregate([{ $group: { _id: '$name' } }, { $count: 'n' }], { collation }).toArray()).toEqual([
      { n: 5 },
    ]);
    expect(await items.updateMany({ name: 'BANANA' }, { $set: { a: 1 } }, { collation })).toMatchObject({
      modifiedCount: 2,
    });
    expect(await items.findOneAndDelete({ name: 'ZOO' }, { collation })).toMatchObject({ _id: 6 });
    expect(await items.deleteMany({ name: 'BANANA' }, { collation })).toMatchObject({ deletedCount: 2 });
  });

  test('numbers in text by their value, accents by strength', async () => {
    await items.insertMany([
      { _id: 'a', name: 'v10' },
      { _id: 'b', name: 'v9' },
      { _id: 'c', name: 'café' },
    ] as never);
    const numeric = await items
      .find({ name: /^v/ })
      .sort({ name: 1 })
      .collation({ locale: 'en', numericOrdering: true });
    expect((await numeric.toArray()).map((each) => each.name)).toEqual(['v9', 'v10']);
    expect(await items.countDocuments({ name: 'CAFE' }, { collation: { locale: 'fr', strength: 1 } })).toBe(1);
    expect(await items.countDocuments({ name: 'CAFE' }, { collation: { locale: 'fr', strength: 2 } })).toBe(0);
  });

  test('of a collection or a unique index applies by default', async () => {
    const folded = await client.db('driver').createCollection(`folded${name}`, { collation });
    await folded.createIndex({ name: 1 }, { unique: true });
    await folded.insertOne({ name: 'One' });
    await expect(folded.insertOne({ name: 'ONE' })).rejects.toMatchObject({ code: 11000 });
    expect(await folded.findOne({ name: 'oNe' })).not.toBeNull();
    await folded.insertOne({ _id: 'key' as never });
    await expect(folded.insertOne({ _id: 'KEY' as never })).rejects.toMatchObject({ code: 11000 });
    expect(await folded.findOne({ _id: 'Key' as never })).toEqual({ _id: 'key' });
    const plan = await folded.find({ name: 'ONE' }).explain('queryPlanner');
    expect(plan.queryPlanner.winningPlan.inputStage).toMatchObject({ indexName: 'name_1' });
    await folded.createIndex({ name: -1 }, { collation: { locale: 'simple' } });
    const collations = (await folded.listIndexes().toArray()).map((index) => index.collation?.locale);
    expect(collations).toEqual(['en', 'en', undefined]);
    expect(await folded.find({ name: 'oNe' }, { collation: { locale: 'simple' } }).toArray()).toEqual([]);
  });
});

describe('field names with dots and dollars', () => {
  test.each<[string, Document]>([
    ['a dollar at the beginning', { _id: 9, $a: 1 }],
    ['a dot', { _id: 9, 'a.b': 1 }],
    ['a dollar within', { _id: 9, a: { $b: 1 } }],
    ['a dot within', { _id: 9, a: { 'b.c': 1 } }],
    ['a dot in _id', { _id: { 'a.b': 1 } }],
    ['a reference', { _id: 9, a: { $ref: 'x', $id: 1, $db: 'y' } }],
  ])('%s is stored as it came', async (_name, document) => {
    await items.insertOne({ ...document });
    expect(await items.findOne({ _id: document._id })).toMatchObject(
      '$ref' in (document.a ?? {}) ? { _id: 9 } : document,
    );
  });

  test('in _id a dollar is refused', async () => {
    await expect(items.insertOne({ _id: { $a: 1 } as never })).rejects.toMatchObject({ code: 52 });
    await expect(items.replaceOne(id(1), { _id: 1, 'a.b': 1, a: { $b: 1, 'c.d': 2 } })).resolves.toMatchObject({
      modifiedCount: 1,
    });
  });
});

// As in MongoDB 5 and later.
describe('fields with a dollar below the top level', () => {
  test('are changed by name, in replacements and in arrays', async () => {
    await items.insertOne({ ...id(9), price: { $base: 1 }, list: [{ $n: 1 }, { $n: 2 }] });
    const change = {
      $set: { 'price.$base': 2, 'price.$top': 3 },
      $inc: { 'list.1.$n': 5 },
      $unset: { 'list.0.$n': 1 },
    };
    await items.updateOne(id(9), change as never);
    expect(await items.findOne(id(9))).toEqual({ _id: 9, price: { $base: 2, $top: 3 }, list: [{}, { $n: 7 }] });
    expect(await items.countDocuments({ 'price.$base': 2, 'list.$n': 7 })).toBe(1);
    await items.updateOne({ ...id(9), 'list.$n': 7 }, { $set: { 'list.$.$n': 8 }, $rename: { 'price.$top': 'top' } });
    expect(await items.findOne(id(9))).toEqual({ _id: 9, price: { $base: 2 }, top: 3, list: [{}, { $n: 8 }] });
    await items.replaceOne(id(9), { price: { $base: 4 } });
    expect(
      await items.findOneAndUpdate(id(9), { $push: { 'price.$all': 1 } } as never, { returnDocument: 'after' }),
    ).toEqual({
      _id: 9,
      price: { $base: 4, $all: [1] },
    });
  });

  test('at the top level they are inserted, but change no document', async () => {
    const set = { $set: { $a: 1 } };
    await items.updateOne(id(9), set, { upsert: true });
    expect(await items.findOne(id(9))).toEqual({ _id: 9, $a: 1 });
    await expect(items.updateOne(id(9), set)).rejects.toMatchObject({ code: 52 });
    const replacement = { b: 1, $a: 2 };
    await expect(items.replaceOne(id(9), replacement)).rejects.toMatchObject({ code: 52 });
    await items.replaceOne(id(10), replacement, { upsert: true });
    expect(await items.findOne(id(10))).toEqual({ _id: 10, b: 1, $a: 2 });
  });
});

// Regression: inside of $elemMatch they were unknown operators.
describe('references', () => {
  const found = async (filter: Document) => (await items.find(filter).toArray()).map(({ _id }) => _id);
  beforeEach(async () => {
    const reference = ($ref: string, $id: number) => ({ toBSON: () => ({ $ref, $id, $db: 'other' }) });
    await items.insertMany([
      { ...id(21), one: reference('users', 1), many: [reference('users', 1), reference('groups', 2)] },
      { ...id(22), one: reference('users', 2), many: [reference('users', 2)] },
    ]);
  });

  test.each<[string, Document, number[]]>([
    ['by a path', { 'one.$id': 2 }, [22]],
    ['whole', { one: { $ref: 'users', $id: 1, $db: 'other' } }, [21]],
    ['in $elemMatch', { many: { $elemMatch: { $id: 2 } } }, [21, 22]],
    ['in $elemMatch, all fields', { many: { $elemMatch: { $ref: 'users', $id: 2, $db: 'other' } } }, [22]],
    ['in $elemMatch, with operators', { many: { $elemMatch: { $id: { $gt: 1 }, $ref: 'groups' } } }, [21]],
    ['in $elemMatch, by alternatives', { many: { $elemMatch: { $or: [{ $id: 7 }, { $ref: 'groups' }] } } }, [21]],
    ['in an array', { many: { $in: [{ $ref: 'users', $id: 2, $db: 'other' }] } }, [22]],
  ])('are found %s', async (_name, filter, expected) => {
    expect(await found(filter)).toEqual(expected);
  });

  test.each<[string, Document]>([
    ['at the top level', { $id: 1 }],
    ['as an operator', { one: { $id: 1 } }],
  ])('are refused %s', async (_name, filter) => {
    await expect(found(filter)).rejects.toMatchObject({
      code: 2,
      message: expect.stringMatching(/unknown .*operator: \$id/),
    });
  });
});

describe('commands of replica sets are refused', () => {
  test.each<[string, Document]>([
    ['capped', { capped: true, size: 1024 }],
    ['viewOn', { viewOn: 'items', pipeline: [] }],
    ['timeseries', { timeseries: { timeField: 'at' } }],
    ['clusteredIndex', { clusteredIndex: { key: { _id: 1 }, unique: true } }],
  ])('collections with %s, by name', async (option, options) => {
    const command = client.db('driver').command({ create: 'special', ...options });
    await expect(command).rejects.toMatchObject({ code: 115, message: `'${option}' is not supported` });
  });

  test('cursors that wait for more', async () => {
    await expect(items.find({}, { tailable: true }).toArray()).rejects.toMatchObject({ code: 2 });
  });

  test('text indexes and searches, places, scripts', async () => {
    await expect(items.createIndex({ name: 'text' })).rejects.toMatchObject({ code: 115 });
    await expect(items.createIndex({ place: '2dsphere' })).rejects.toMatchObject({ code: 115 });
    await expect(items.find({ $text: { $search: 'apple' } }).toArray()).rejects.toMatchObject({ code: 115 });
    await expect(items.find({ $where: 'true' }).toArray()).rejects.toMatchObject({ code: 115 });
    await expect(items.find({ place: { $near: [0, 0] } }).toArray()).rejects.toMatchObject({ code: 115 });
  });

  test('change streams, of a collection, a database and everything', async () => {
    for (const target of [items, client.db('driver'), client]) {
      const stream = target.watch();
      await expect(stream.next()).rejects.toMatchObject({ code: 40573 });
      await stream.close();
    }
  });

  test('transactions, before anything is written', async () => {
    const session = client.startSession();
    session.startTransaction();
    // The driver replaces the text of the server's code 20.
    await expect(items.insertOne(id(9), { session })).rejects.toThrow(/retryable writes|Transaction numbers/);
    await session.abortTransaction().catch(() => undefined);
    await session.endSession();
    expect(await items.findOne(id(9))).toBeNull();
  });

  test('bulkWrite of MongoDB 8', async () => {
    const bulk = client.bulkWrite([{ namespace: items.namespace, name: 'deleteOne', filter: {} }]);
    await expect(bulk).rejects.toMatchObject({ cause: { code: 59 } });
    expect(await items.countDocuments()).toBe(3);
  });

  test('more than one node to write to, and snapshots', async () => {
    await expect(items.insertOne(id(9), { writeConcern: { w: 2 } })).rejects.toMatchObject({ code: 2 });
    await expect(items.find({}, { readConcern: { level: 'snapshot' } }).toArray()).rejects.toMatchObject({ code: 123 });
    await items.insertOne(id(9), { writeConcern: { w: 'majority', journal: true } });
    expect(await items.find(id(9), { readConcern: { level: 'majority' } }).toArray()).toHaveLength(1);
  });
});

describe('sessions', () => {
  test('carry reads, writes and cursors, and end', async () => {
    const session = client.startSession({ causalConsistency: false });
    await items.insertOne(id(4), { session });
    const found = await items.find({}, { session, batchSize: 1 }).toArray();
    expect(found).toHaveLength(4);
    await session.endSession();
  });

  test('retryable writes and reads are requested by default without effect', async () => {
    const started: CommandStartedEvent[] = [];
    const other = await server.connect({ retryWrites: true, retryReads: true, monitorCommands: true });
    other.on('commandStarted', (event) => started.push(event));
    await other.db('driver').collection<Document>(items.collectionName).insertOne(id(5));
    expect(started[0]!.command.txnNumber).toBeUndefined();
    expect(await items.findOne(id(5))).not.toBeNull();
  });

  test('the stable API version 1 is accepted', async () => {
    const strict = await server.connect({ serverApi: { version: '1' } });
    const collection = strict.db('driver').collection<Document>(items.collectionName);
    expect(await collection.countDocuments()).toBe(3);
    expect(await collection.aggregate([{ $match: { x: 22 } }]).toArray()).toHaveLength(1);
  });
});

describe('cursors', () => {
  test('limit, batchSize and skip together', async () => {
    await items.insertMany(Array.from({ length: 20 }, (_, at) => id(at + 10)) as never);
    for (const [limit, batchSize] of [
      [7, 3],
      [3, 7],
      [6, 3],
      [0, 4],
    ] as const) {
      const found = await items.find({}, { limit, batchSize, skip: 2, sort: { _id: 1 } }).toArray();
      expect(found).toHaveLength(limit || 21);
    }
    expect(await items.find({}, { limit: -5 }).toArray()).toHaveLength(5);
    expect(await items.find({}, { singleBatch: true, batchSize: 4 }).toArray()).toHaveLength(4);
  });

  test('are rewound, cloned and closed early', async () => {
    const cursor = items.find({}, { batchSize: 1 }).sort({ _id: 1 });
    expect((await cursor.next())!._id).toBe(1);
    expect((await cursor.next())!._id).toBe(2);
    cursor.rewind();
    expect((await cursor.next())!._id).toBe(1);
    expect(await cursor.clone().toArray()).toHaveLength(3);
    await cursor.close();
    expect(await cursor.next().catch(() => null)).toBeNull();
  });

  test('of listings return batches', async () => {
    const database = client.db(`listed${name}`);
    for (let at = 0; at < 7; at++) await database.createCollection(`c${at}`);
    expect(await database.listCollections({}, { batchSize: 3 }).toArray()).toHaveLength(7);
    await database.collection('c0').createIndexes([{ key: { a: 1 } }, { key: { b: 1 } }, { key: { c: 1 } }]);
    expect(await database.collection('c0').listIndexes({ batchSize: 2 }).toArray()).toHaveLength(4);
  });
});

test('a client that disconnects during its query does not disturb the server', async () => {
  const other = new MongoClient(server.uri);
  const collection = (await other.connect()).db('driver').collection('many');
  await collection.insertMany(Array.from({ length: 20_000 }, (_, n) => ({ n, text: 'x'.repeat(100) })));
  const query = collection.find({ text: /y$/ }).sort({ n: 1 }).toArray();
  void query.catch(() => undefined);
  await other.close(true);
  await query.catch(() => undefined);
  expect(await items.countDocuments()).toBe(3);
});
