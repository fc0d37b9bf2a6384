import { Decimal128, type Document, Long, ObjectId } from 'mongodb';
import { TestServer } from './test-server';

/*
 * Which partial and sparse indexes a query may use. MongoDB's planner (`isSubsetOf` of its expression_algo.cpp)
 * recognizes less than is true, and this server must not recognize more: else a query would be fast on this server
 * only.
 */

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.stop());

const values = [
  undefined,
  null,
  0,
  1,
  7,
  -3,
  Long.fromString('9007199254740993'),
  Decimal128.fromString('2.5'),
  Number.NaN,
  '',
  'a',
  'b',
  true,
  false,
  new Date(0),
  new Date(1e12),
  new ObjectId('0123456789abcdef01234567'),
  [],
  [null],
  [1, 'a'],
  [[7]],
  { b: 1 },
  /a/,
];

const table: [partial: Document, query: Document, isUsed: boolean][] = [
  // A value is not recognized to have a type.
  [{ x: { $type: 'number' } }, { x: 7 }, false],
  [{ x: { $type: 'string' } }, { x: { $gt: 'a' } }, false],
  [{ x: { $type: 'string' } }, { x: { $in: ['a', 'b'] } }, false],
  [{ x: { $type: 'number' } }, { x: { $eq: 7, $type: 'number' } }, true],
  [{ x: { $type: ['string', 'number'] } }, { x: { $gt: 'a', $type: 'string' } }, true],
  [{ x: { $type: 'int' } }, { x: { $eq: 7, $type: 'number' } }, false],
  [{ x: { $type: 'number' } }, { x: { $eq: 7, $type: 'int' } }, true],
  // Ranges.
  [{ x: { $gt: 0 } }, { x: 7 }, true],
  [{ x: { $gt: 0 } }, { x: 0 }, false],
  [{ x: { $gte: 0 } }, { x: { $gt: 0 } }, true],
  [{ x: { $gt: 0 } }, { x: { $gte: 0 } }, false],
  [{ x: { $gt: 0 } }, { x: { $gt: 0 } }, true],
  [{ x: { $gt: 0 } }, { x: { $in: [1, 7] } }, true],
  [{ x: { $gt: 0 } }, { x: { $in: [1, 0] } }, false],
  [{ x: { $gt: 0 } }, { x: { $in: [1, /a/] } }, false],
  [{ x: { $gt: 0 } }, { x: 'a' }, false],
  [{ x: { $gt: 0 } }, { x: Number.NaN }, false],
  [{ x: { $gt: 0 } }, { x: { $lt: 9 } }, false],
  [{ x: { $gt: 0 } }, { x: { $gt: 0, $lt: 9 } }, true],
  [{ x: { $gt: '' } }, { x: 'a' }, true],
  [{ x: { $gt: new Date(0) } }, { x: { $lt: new Date(2e12) } }, false],
  [{ x: { $gt: new Date(0) } }, { x: { $gt: new Date(0), $lt: new Date(2e12) } }, true],
  // Existence.
  [{ x: { $exists: true } }, { x: 7 }, true],
  [{ x: { $exists: true } }, { x: null }, false],
  [{ x: { $exists: true } }, { x: { $in: [7, null] } }, false],
  [{ x: { $exists: true } }, { x: { $gte: null } }, false],
  [{ x: { $exists: true } }, { x: { $gt: 3, $exists: true } }, true],
  [{ x: { $exists: true } }, { x: { $in: [] } }, false],
  // Values.
  [{ x: { $in: [1, 7, 'a'] } }, { x: 7 }, true],
  [{ x: { $in: [1, 7, 'a'] } }, { x: { $in: ['a', 1] } }, true],
  [{ x: { $in: [1, 7, 'a'] } }, { x: { $in: ['a', 0] } }, false],
  [{ x: true }, { x: true }, true],
  [{ x: true }, { x: { $ne: false } }, false],
  // Several conditions.
  [{ x: { $gt: 0 }, y: 1 }, { x: 7, y: 1 }, true],
  [{ x: { $gt: 0 }, y: 1 }, { x: 7 }, false],
  [{ y: 1 }, { x: 7, $or: [{ y: 1 }, { y: 2 }] }, false],
  [{ y: { $lt: 3 } }, { x: 7, $or: [{ y: 1 }, { y: 2 }] }, true],
];

it.each(table)('an index of %j answers %j: %s', async (partialFilterExpression, query, isUsed) => {
  const database = await server.database(`implied${Math.random()}`.replace('.', ''));
  const [indexed, plain] = [database.collection('indexed'), database.collection('plain')];
  const documents = values.flatMap((x, n) => [1, 2].map((y) => ({ _id: n * 2 + y, ...(x !== undefined && { x }), y })));
  for (const collection of [indexed, plain]) await collection.insertMany(documents as never);
  await indexed.createIndex({ x: 1 }, { partialFilterExpression });
  const { queryPlanner } = await indexed.find(query).explain('queryPlanner');
  expect(JSON.stringify(queryPlanner.winningPlan).includes('IXSCAN')).toBe(isUsed);
  const answers = await Promise.all([indexed, plain].map((each) => each.find(query).sort({ _id: 1 }).toArray()));
  expect(answers[0]!.map(({ _id }) => _id)).toEqual(answers[1]!.map(({ _id }) => _id));
});

it.each<[Document, boolean]>([
  [{ x: 7 }, true],
  [{ x: { $gt: 3 } }, true],
  [{ x: { $type: 'number', $gt: 3 } }, true],
  [{ x: null }, false],
  [{ x: { $in: [null, 1] } }, false],
  [{ x: { $lte: null } }, false],
  [{ x: { $exists: false } }, false],
  // The leading field decides.
  [{ x: null, y: 1 }, false],
  [{ y: 1 }, false],
])('a sparse index on x and y answers %j: %s', async (query, isUsed) => {
  const items = (await server.database(`sparse${Math.random()}`.replace('.', ''))).collection('items');
  const documents = values.flatMap((x, n) => [1, 2].map((y) => ({ _id: n * 2 + y, ...(x !== undefined && { x }), y })));
  await items.insertMany(documents as never);
  const without = await items.find(query).sort({ _id: 1 }).toArray();
  await items.createIndex({ x: 1, y: 1 }, { sparse: true });
  const { queryPlanner } = await items.find(query).explain('queryPlanner');
  expect(JSON.stringify(queryPlanner.winningPlan).includes('IXSCAN')).toBe(isUsed);
  expect(await items.find(query).sort({ _id: 1 }).toArray()).toEqual(without);
  // Without a condition an index that lacks documents provides no order either.
  expect(await items.find().sort({ x: 1 }).toArray()).toHaveLength(documents.length);
});
