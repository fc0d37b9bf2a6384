import { startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import mongoose, { type Connection } from 'mongoose';
import { type Migration, migrate } from '../src';

let infrastructure: TestInfrastructure;
let connections: Connection[];
let count = 0;

beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
});
afterAll(() => infrastructure.stop());
beforeEach(async () => {
  const dbName = `${infrastructure.mongodbPrefix}_migrations${++count}`;
  const open = () => mongoose.createConnection(infrastructure.mongodbUri, { dbName }).asPromise();
  connections = await Promise.all([open(), open(), open()]);
});
afterEach(() => Promise.all(connections.map((connection) => connection.close())));

/** Counts what earlier versions omitted, with a wrong result if it runs concurrently. */
const countUp = (name: string, runs: string[]): Migration => ({
  name,
  async run(connection) {
    runs.push(name);
    const things = connection.collection('things');
    const before = (await things.findOne({}))?.count ?? 0;
    for (let read = 0; read < 10; read++) await connection.collection('things').findOne({});
    await things.updateOne({}, { $set: { count: before + 1 } }, { upsert: true });
  },
});

it('runs once, in order, if several processes start concurrently', async () => {
  const runs: string[] = [];
  const wanted = [countUp('2026-11-02 second', runs), countUp('2026-11-01 first', runs)];
  await Promise.all(connections.map((connection) => migrate(connection, wanted)));
  expect(runs).toEqual(['2026-11-01 first', '2026-11-02 second']);
  expect(await connections[0]!.collection('things').findOne({})).toMatchObject({ count: 2 });
  expect(await migrate(connections[1]!, wanted)).toEqual([]);
});

it('prevents the start of a service when it fails, and is retried', async () => {
  const runs: string[] = [];
  const broken: Migration = {
    name: '2026-11-01 broken',
    run: async () => {
      throw new Error('no room');
    },
  };
  const after = countUp('2026-11-02 after', runs);
  await expect(migrate(connections[0]!, [broken, after])).rejects.toThrow('no room');
  expect(runs).toEqual([]);
  expect(await migrate(connections[1]!, [countUp('2026-11-01 broken', runs), after])).toEqual([
    '2026-11-01 broken',
    '2026-11-02 after',
  ]);
});

it('does not run again in a newer version', async () => {
  const runs: string[] = [];
  const old = [countUp('2026-11-01 old', runs)];
  await migrate(connections[0]!, old);
  expect(await migrate(connections[1]!, [...old, countUp('2026-12-01 new', runs)])).toEqual(['2026-12-01 new']);
  expect(await migrate(connections[2]!, old)).toEqual([]);
});
