import { startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import { type Connection, createConnection, type Model, mongo, Schema } from 'mongoose';
import { FieldReads, findInTurn, PointReads } from '../src';

interface Leaf {
  _id: number;
  branch: string;
}
interface Nest {
  _id: string;
  birds?: string[];
}

let infrastructure: TestInfrastructure;
let connection: Connection;
let leaves: Model<Leaf>;
let nests: Model<Nest>;
let absent: Model<Nest>;
let commands: string[];

beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
  const options = { dbName: `${infrastructure.mongodbPrefix}_turns`, autoCreate: false, monitorCommands: true };
  connection = await createConnection(infrastructure.mongodbUri, options).asPromise();
  connection.getClient().on('commandStarted', ({ commandName }) => commands.push(commandName));
  commands = [];
  const own = { autoIndex: false };
  leaves = connection.model<Leaf>('Leaf', new Schema<Leaf>({ _id: Number, branch: String }, own), 'leaves');
  nests = connection.model<Nest>('Nest', new Schema<Nest>({ _id: String, birds: [String] }, own), 'nests');
  absent = connection.model<Nest>('Absent', new Schema<Nest>({ _id: String }, own), 'absent');
  await leaves.collection.insertMany(
    Array.from({ length: 1200 }, (_, at) => ({ _id: at as never, branch: at < 3 ? 'oak' : 'elm' })),
  );
  await nests.collection.insertMany([{ _id: 'low' as never, birds: ['tit', 'owl'] }, { _id: 'high' as never }]);
});
beforeEach(() => {
  commands = [];
});
afterAll(async () => {
  await connection?.close();
  await infrastructure?.stop();
});

it('reads several collections by one command, and a single one by a find', async () => {
  const [leaf, high, low, oaks, none] = await Promise.all([
    new PointReads(leaves).find(7),
    new PointReads(nests).find('high'),
    new PointReads(nests).find('low'),
    new FieldReads(leaves, 'branch', { projection: { branch: 1, _id: 0 } }).find('oak'),
    new PointReads(absent).find('any'),
  ]);
  expect([leaf, high, low]).toEqual([
    { _id: 7, branch: 'elm' },
    { _id: 'high' },
    { _id: 'low', birds: ['tit', 'owl'] },
  ]);
  expect(oaks).toEqual(Array(3).fill({ branch: 'oak' }));
  expect(none).toBeNull();
  expect(commands).toEqual(['aggregate']);
  expect(await new PointReads(nests).find('low')).toEqual(low);
  expect(commands).toEqual(['aggregate', 'find']);
});

it('reads everything if the documents do not fit into one reply', async () => {
  const elms = findInTurn(leaves, () => [{ filter: { branch: 'elm' } }]);
  const all = findInTurn(leaves, () => [{ filter: {} }]);
  const nest = new PointReads(nests).find('low');
  expect((await elms).length).toBe(1197);
  expect((await all).length).toBe(1200);
  expect(await nest).toMatchObject({ _id: 'low' });
});

it('reads a large query by a command of its own', async () => {
  const [elms, nest, oaks] = await Promise.all([
    findInTurn(leaves, () => [{ filter: { branch: 'elm' }, isLarge: true }]),
    new PointReads(nests).find('low'),
    findInTurn(leaves, () => [{ filter: { branch: 'oak' } }, { filter: { _id: 5 }, projection: { _id: 1 } }]),
  ]);
  expect(elms.length).toBe(1197);
  expect(nest).toMatchObject({ _id: 'low' });
  expect(oaks.map(({ _id }) => _id).sort()).toEqual([0, 1, 2, 5]);
  expect(commands.slice(0, 2).sort()).toEqual(['aggregate', 'find']);
});

it('fails only for the callers whose query is refused', async () => {
  const bad = findInTurn(leaves, () => [{ filter: { $unknown: 1 } }]);
  const both = findInTurn(leaves, () => [{ filter: { _id: 1 } }, { filter: { $unknown: 1 } }]);
  const good = findInTurn(leaves, () => [{ filter: { _id: 1 } }]);
  await expect(bad).rejects.toThrow(mongo.MongoServerError);
  await expect(both).rejects.toThrow(mongo.MongoServerError);
  expect(await good).toEqual([{ _id: 1, branch: 'oak' }]);
});

it('uses the index of each query', async () => {
  const plan = await connection.db?.command({
    explain: {
      aggregate: 'leaves',
      pipeline: [
        { $match: { _id: { $in: [1, 2] } } },
        { $replaceWith: { of: { $literal: 0 }, document: '$$ROOT' } },
        { $unionWith: { coll: 'nests', pipeline: [{ $match: { _id: { $in: ['low'] } } }] } },
      ],
      cursor: {},
    },
    verbosity: 'executionStats',
  });
  const text = JSON.stringify(plan);
  expect(text).toMatch(/IXSCAN|IDHACK|EXPRESS/);
  expect(text).not.toContain('COLLSCAN');
});
