import type { Collection, Db, Document } from 'mongodb';
import { TestServer } from './test-server';

let server: TestServer;
let database: Db;
let items: Collection<Document>;
let name = 0;

beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database('validation');
});
afterAll(() => server.stop());

const schema = {
  $jsonSchema: {
    bsonType: 'object',
    required: ['title', 'year'],
    properties: {
      title: { bsonType: 'string', description: 'must be a string' },
      year: { bsonType: 'int', minimum: 1900 },
      author: { bsonType: 'object', required: ['name'] },
    },
  },
};
const valid = { title: 'one', year: 2000 };
const failure = { code: 121, errmsg: expect.stringContaining('Document failed validation') };

beforeEach(async () => {
  items = await database.createCollection(`items${++name}`, { validator: schema });
});

test('each kind of write is refused if it does not match, and stores nothing', async () => {
  await items.insertOne({ _id: 1 as never, ...valid });
  await expect(items.insertOne({ title: 'two' })).rejects.toMatchObject(failure);
  await expect(items.updateOne({ _id: 1 as never }, { $set: { year: 'x' } })).rejects.toMatchObject(failure);
  await expect(items.updateMany({}, { $unset: { title: 1 } })).rejects.toMatchObject(failure);
  await expect(items.replaceOne({ _id: 1 as never }, { year: 2001 })).rejects.toMatchObject(failure);
  await expect(items.updateOne({ _id: 2 as never }, { $set: { title: 'x' } }, { upsert: true })).rejects.toMatchObject(
    failure,
  );
  await expect(items.findOneAndUpdate({ _id: 1 as never }, { $set: { year: 1 } })).rejects.toMatchObject(failure);
  await expect(items.findOneAndReplace({ _id: 1 as never }, { title: 3 })).rejects.toMatchObject(failure);
  await expect(
    items.aggregate([{ $set: { year: 1 } }, { $merge: { into: items.collectionName } }]).toArray(),
  ).rejects.toMatchObject(failure);
  await expect(items.aggregate([{ $unset: 'title' }, { $out: items.collectionName }]).toArray()).rejects.toMatchObject(
    failure,
  );
  expect(await items.find().toArray()).toEqual([{ _id: 1, ...valid }]);
});

test('of many documents those that match are inserted when unordered', async () => {
  const error = await items
    .insertMany([valid, { title: 1 }, { ...valid }, {}] as Document[], { ordered: false })
    .catch((each) => each);
  expect(error.writeErrors.map(({ index, code }: Document) => [index, code])).toEqual([
    [1, 121],
    [3, 121],
  ]);
  expect(await items.countDocuments()).toBe(2);
});

test('the error names the document and the rules it breaks', async () => {
  const error = await items.insertOne({ _id: 7 as never, year: 1800, author: {} }).catch((each) => each);
  expect(error.errInfo).toMatchObject({
    failingDocumentId: 7,
    details: {
      operatorName: '$jsonSchema',
      schemaRulesNotSatisfied: [
        { operatorName: 'required', specifiedAs: { required: ['title', 'year'] }, missingProperties: ['title'] },
        {
          operatorName: 'properties',
          propertiesNotSatisfied: [
            {
              propertyName: 'year',
              details: [
                {
                  operatorName: 'minimum',
                  specifiedAs: { minimum: 1900 },
                  reason: 'comparison failed',
                  consideredValue: 1800,
                },
              ],
            },
            { propertyName: 'author', details: [{ operatorName: 'required', missingProperties: ['name'] }] },
          ],
        },
      ],
    },
  });
});

test('a validator of query operators', async () => {
  const ranged = await database.createCollection(`ranged${name}`, {
    validator: { a: { $gt: 5, $lt: 10 }, $expr: { $lt: ['$a', '$b'] } },
  });
  await ranged.insertOne({ a: 7, b: 8 });
  const error = await ranged.insertOne({ a: 12, b: 20 }).catch((each) => each);
  expect(error.errInfo.details).toMatchObject({
    operatorName: '$and',
    clausesNotSatisfied: [{ index: 1, details: { operatorName: '$lt', consideredValue: 12 } }],
  });
  await expect(ranged.insertOne({ a: 7, b: 6 })).rejects.toMatchObject(failure);
});

// Regression: for alternatives only the operator was named.
test('the error names the conditions of alternatives and negations', async () => {
  const choice = await database.createCollection(`choice${name}`, {
    validator: { $or: [{ a: { $gt: 5 } }, { b: { $exists: true } }], $nor: [{ c: 1 }], d: { $not: { $size: 2 } } },
  });
  await choice.insertOne({ a: 6, d: [1] });
  const detailsOf = async (document: Document) =>
    (await choice.insertOne(document).catch((each) => each)).errInfo.details;
  expect(await detailsOf({ a: 1 })).toEqual({
    operatorName: '$and',
    clausesNotSatisfied: [
      {
        index: 0,
        details: {
          operatorName: '$or',
          clausesNotSatisfied: [
            {
              index: 0,
              details: {
                operatorName: '$gt',
                specifiedAs: { a: { $gt: 5 } },
                reason: 'comparison failed',
                consideredValue: 1,
                consideredType: 'int',
              },
            },
            {
              index: 1,
              details: {
                operatorName: '$exists',
                specifiedAs: { b: { $exists: true } },
                reason: 'path does not exist',
              },
            },
          ],
        },
      },
    ],
  });
  expect(await detailsOf({ a: 6, c: 1, d: [1, 2] })).toMatchObject({
    clausesNotSatisfied: [
      {
        index: 1,
        details: {
          operatorName: '$nor',
          clausesSatisfied: [{ index: 0, details: { operatorName: '$eq', reason: 'comparison succeeded' } }],
        },
      },
      {
        index: 2,
        details: {
          operatorName: '$not',
          details: { operatorName: '$size', reason: 'array length was equal to given size' },
        },
      },
    ],
  });
});

test('bypassDocumentValidation passes it over', async () => {
  const bypass = { bypassDocumentValidation: true };
  await items.insertOne({ _id: 1 as never }, bypass);
  await items.updateOne({ _id: 1 as never }, { $set: { year: 'x' } }, bypass);
  await items.findOneAndUpdate({ _id: 1 as never }, { $set: { a: 1 } }, bypass);
  await items.aggregate([{ $set: { b: 1 } }, { $merge: items.collectionName }], bypass).toArray();
  expect(await items.findOne()).toEqual({ _id: 1, year: 'x', a: 1, b: 1 });
});

test('collMod sets it, its level and its action; listCollections shows them; a restart keeps them', async () => {
  const plain = database.collection(`plain${name}`);
  await plain.insertOne({ _id: 1 as never, old: true });
  const collMod = (options: Document) => database.command({ collMod: plain.collectionName, ...options });
  await collMod({ validator: schema, validationLevel: 'moderate' });
  await plain.updateOne({ _id: 1 as never }, { $set: { a: 1 } });
  await expect(plain.insertOne({ old: true })).rejects.toMatchObject(failure);
  await collMod({ validationLevel: 'strict' });
  await expect(plain.updateOne({ _id: 1 as never }, { $set: { a: 2 } })).rejects.toMatchObject(failure);
  await collMod({ validationAction: 'warn' });
  await plain.updateOne({ _id: 1 as never }, { $set: { a: 2 } });
  expect(server.log.at(-1)).toEqual({
    event: expect.stringContaining('validation'),
    details: { namespace: plain.namespace, operator: '$jsonSchema' },
  });
  await collMod({ validationAction: 'error', validationLevel: 'off' });
  await plain.insertOne({ b: 1 });
  await collMod({ validationLevel: 'strict' });
  const [listed] = await database.listCollections({ name: plain.collectionName }).toArray();
  expect((listed as Document).options).toEqual({
    validator: schema,
    validationLevel: 'strict',
    validationAction: 'error',
  });
  await server.restart();
  database = await server.database('validation');
  await expect(database.collection(plain.collectionName).insertOne({})).rejects.toMatchObject(failure);
});

test('an invalid validator is refused, and the collection is not created', async () => {
  const create = (options: Document) => database.createCollection('refused', options);
  await expect(create({ validator: { a: { $nothing: 1 } } })).rejects.toMatchObject({ code: 2 });
  await expect(create({ validator: { $jsonSchema: { unknown: 1 } } })).rejects.toMatchObject({ code: 9 });
  await expect(create({ validationLevel: 'loose' })).rejects.toMatchObject({ code: 2 });
  await expect(create({ validationAction: 'shout' })).rejects.toMatchObject({ code: 2 });
  expect(await database.listCollections({ name: 'refused' }).toArray()).toEqual([]);
});
