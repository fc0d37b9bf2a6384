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

test('a slow command is carried out late', async () => {
  await configure({ times: 1 }, { failCommands: ['insert'], blockConnection: true, blockTimeMS: 50 });
  const started = performance.now();
  await database.collection('slow').insertOne({ _id: 1 as never });
  expect(performance.now() - started).toBeGreaterThanOrEqual(49);
  expect(await database.collection('slow').countDocuments()).toBe(1);
});
