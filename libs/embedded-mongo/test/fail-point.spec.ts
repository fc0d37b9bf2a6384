import type { Db } from 'mongodb';
import { TestServer } from './test-server';

let server: TestServer;
let database: Db;

beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database('failing');
});
afterAll(() => server.stop());

const configure = (mode: unknown, data: object) =>
  database.admin().command({ configureFailPoint: 'failCommand', mode, data });

test('the chosen command fails as often as configured, and no other', async () => {
  await configure({ times: 2 }, { failCommands: ['insert'], errorCode: 8, errorLabels: ['Mine'] });
  await database.collection('a').findOne();
  for (let time = 0; time < 2; time++) {
    const error = await database
      .collection('a')
      .insertOne({})
      .catch((caught) => caught);
    expect(error.code).toBe(8);
    expect(error.hasErrorLabel('Mine')).toBe(true);
  }
  await database.collection('a').insertOne({});
  expect(await database.collection('a').countDocuments()).toBe(1);
});

test('off ends it; a closed connection is a failure too', async () => {
  await configure('alwaysOn', { failCommands: ['find'], closeConnection: true });
  await expect(database.collection('a').findOne()).rejects.toThrow(/connection/i);
  await configure('off', {});
  expect(await database.collection('a').findOne()).not.toBeNull();
});

test('a write concern error reports a completed write', async () => {
  await configure(
    { times: 1 },
    { failCommands: ['insert'], writeConcernError: { code: 100, errmsg: 'not enough nodes' } },
  );
  await expect(database.collection('b').insertOne({ a: 1 })).rejects.toThrow('not enough nodes');
  expect(await database.collection('b').countDocuments()).toBe(1);
});

test('commands succeed before the chosen one fails; the reply counts the failures', async () => {
  const { count } = await configure({ skip: 2, times: 1 }, { failCommands: ['insert'], errorCode: 14031 });
  const insert = (n: number) => database.collection('c').insertOne({ n });
  await insert(1);
  await insert(2);
  await expect(insert(3)).rejects.toMatchObject({ code: 14031, codeName: 'OutOfDiskSpace' });
  await insert(4);
  await configure({ skip: 1 }, { failCommands: ['insert'], errorCode: 10107 });
  await insert(5);
  await expect(insert(6)).rejects.toThrow();
  await expect(insert(7)).rejects.toThrow();
  expect(await configure('off', {})).toMatchObject({ count: Number(count) + 3 });
  const kept = await database.collection('c').find().sort({ n: 1 }).toArray();
  expect(kept.map(({ n }) => n)).toEqual([1, 2, 4, 5]);
});

test('a namespace and an application narrow the choice', async () => {
  const inserts = { failCommands: ['insert'], errorCode: 8 };
  await configure('alwaysOn', { ...inserts, namespace: 'failing.chosen' });
  await database.collection('other').insertOne({});
  await expect(database.collection('chosen').insertOne({})).rejects.toMatchObject({ code: 8 });
  await configure('alwaysOn', { ...inserts, appName: 'somebody else' });
  await database.collection('chosen').insertOne({});
  await configure('off', {});
});

test.each([{}, { times: -1 }, { skip: 1.5 }, { times: 'two' }, 'sometimes', null])(
  'the mode %j is refused',
  async (mode) => {
    await expect(configure(mode, { failCommands: ['insert'] })).rejects.toMatchObject({ code: 2 });
  },
);

test('other fail points are refused', async () => {
  await expect(database.admin().command({ configureFailPoint: 'other', mode: 'off' })).rejects.toMatchObject({
    code: 115,
  });
});
