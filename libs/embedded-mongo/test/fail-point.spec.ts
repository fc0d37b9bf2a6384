import type { Db } from 'mongodb';
import { TestServer } from './test-server';

let server: TestServer;
let database: Db;

beforeAll(async () => {
  server = await TestServer.start();
  database = await server.database('failing');
});
afterAll(() => server.stop());

const configure = (mode: unknown, data: object): Promise<unknown> =>
  database.admin().command({ configureFailPoint: 'failCommand', mode, data });

test('the chosen command fails as often as it is told, and no other', async () => {
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

test('off ends it; a closed connection is one too', async () => {
  await configure('alwaysOn', { failCommands: ['find'], closeConnection: true });
  await expect(database.collection('a').findOne()).rejects.toThrow(/connection/i);
  await configure('off', {});
  expect(await database.collection('a').findOne()).not.toBeNull();
});

test('a write concern error leaves the write done', async () => {
  await configure(
    { times: 1 },
    { failCommands: ['insert'], writeConcernError: { code: 100, errmsg: 'not enough nodes' } },
  );
  await expect(database.collection('b').insertOne({ a: 1 })).rejects.toThrow('not enough nodes');
  expect(await database.collection('b').countDocuments()).toBe(1);
});

test('other fail points are refused', async () => {
  await expect(database.admin().command({ configureFailPoint: 'other', mode: 'off' })).rejects.toMatchObject({
    code: 115,
  });
});
