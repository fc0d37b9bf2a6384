import { startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import { currentTask, Task, withinTask } from '@moothall/tracing';
import { type Connection, createConnection, type Model, mongo, Schema } from 'mongoose';
import { FieldReads, findInTurn, findLongPage, findPage, PairReads, PointReads } from '../src';

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

it('traces no more commands for a task than it needs alone', async () => {
  const traced: (string | undefined)[] = [];
  const note = () => traced.push(currentTask()?.requestId);
  const [one, other] = ['one', 'other'].map((requestId) => new Task({ requestId })) as [Task, Task];
  const ask = (task: Task, id: number) => withinTask(task, () => findInTurn(leaves, () => [{ filter: { _id: id } }]));
  connection.getClient().on('commandStarted', note);
  try {
    const found = await Promise.all(
      Array.from({ length: 12 }, (_, at) => ask(at % 2 === 0 && at < 10 ? one : other, at)),
    );
    expect(found.map(([leaf]) => leaf!._id)).toEqual(Array.from({ length: 12 }, (_, at) => at));
    expect(traced).toEqual(['one', 'other']);
  } finally {
    connection.getClient().off('commandStarted', note);
  }
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

it('reads by many values by a command of its own', async () => {
  const ids = Array.from({ length: 201 }, (_, id) => id);
  const [many, nest] = await Promise.all([
    findInTurn(leaves, () => [{ filter: { _id: { $in: ids } } }]),
    new PointReads(nests).find('low'),
  ]);
  expect(many.map(({ _id }) => _id).sort((a, b) => a - b)).toEqual(ids);
  expect(nest).toMatchObject({ _id: 'low' });
  expect(commands.slice(0, 2)).toEqual(['find', 'find']);
});

it('reads by two fields together', async () => {
  const reads = new PairReads(leaves, 'branch', '_id');
  const asked = [reads.find('oak', 2), reads.find('elm', 2), reads.find('elm', 7), reads.find('oak', 2)];
  const found = await Promise.all([...asked, new PointReads(nests).find('high')]);
  const oak = { _id: 2, branch: 'oak' };
  expect(found).toEqual([oak, null, { _id: 7, branch: 'elm' }, oak, { _id: 'high' }]);
  expect(commands).toEqual(['aggregate']);
});

describe('a page of a long list', () => {
  const order = { _id: -1 } as const;
  const idsOf = ({ items }: { items: Leaf[] }) => items.map(({ _id }) => _id);

  it.each([
    ['the first', { page: 1, per_page: 3 }, [1199, 1198, 1197], 1197],
    ['a later one', { page: 2, per_page: 2 }, [1197, 1196], 1197],
    ['the last', { page: 400, per_page: 3 }, [], 1197],
  ])('is read and counted by one command: %s', async (_, input, ids, total) => {
    const page = await findLongPage(leaves, { branch: 'elm' }, order, input);
    expect([idsOf(page), page.total]).toEqual([ids, total]);
    expect(commands).toEqual(['aggregate']);
  });

  it('is cast as Mongoose does, and the command is shared with other reads', async () => {
    const filter = { branch: { $in: ['oak'] }, _id: { $gte: '1' as never } };
    const [page, nest] = await Promise.all([
      findPage(leaves, filter, { _id: 'desc' }, { page: 1, per_page: 20 }, { isLong: true }),
      new PointReads(nests).find('high'),
    ]);
    expect(page).toEqual({
      items: [
        { _id: 2, branch: 'oak' },
        { _id: 1, branch: 'oak' },
      ],
      total: 2,
    });
    expect(nest).toEqual({ _id: 'high' });
    expect(commands).toEqual(['aggregate']);
  });

  it.each([
    [{ branch: { $ne: 'elm' } }, ['find', 'aggregate']],
    [{ branch: /o/ }, ['find', 'aggregate']],
    [{ branch: { $in: [] } }, []],
  ])(
    'is read by commands of its own if the filter has a pattern, a negation or no values: %p',
    async (filter, asked) => {
      const input = { page: 1, per_page: 2 };
      const page = await findPage(leaves, filter as object, order, input, { isLong: true });
      expect([idsOf(page), page.total]).toEqual(asked.length > 0 ? [[2, 1], 3] : [[], 0]);
      expect(commands).toEqual(asked);
    },
  );

  it('has no total beyond the limit of counts', async () => {
    const many = connection.model<Leaf>('Many', new Schema<Leaf>({ _id: Number, branch: String }), 'many');
    await many.collection.insertMany(Array.from({ length: 10_001 }, (_, at) => ({ _id: at as never, branch: 'yew' })));
    const page = await findLongPage(many, { branch: 'yew' }, order, { page: 1, per_page: 1 });
    expect(page).toEqual({ items: [{ _id: 10_000, branch: 'yew' }], total: undefined });
    commands = [];
    const last = await findLongPage(many, { branch: 'yew' }, order, { page: 10_001, per_page: 1 });
    expect(last.items).toEqual([{ _id: 0, branch: 'yew' }]);
    // What skips so many is a command of its own.
    const beyond = await findLongPage(many, { branch: 'yew' }, order, { page: 10_002, per_page: 1 });
    expect(beyond.items).toEqual([]);
    expect(commands.sort()).toEqual(['aggregate', 'aggregate', 'find']);
  });
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
