import { OwnServer } from '../server/own-server';
import { Drill, end, processesOf } from './drill';

/* The short form of server.drill.ts, which has all the faults: one process is killed under load, then another. */

jest.setTimeout(900_000);

const drill = new Drill();
// The load is of one caller, who must not wait for a free slot of its share.
const server = new OwnServer({ SLOW_REQUESTS_PER_CALLER: '1000' });

beforeAll(async () => {
  await drill.start();
  await server.start();
  await drill.prepare(server);
});
afterAll(async () => {
  await server.stop();
  drill.end();
});

it('loses, doubles and delivers nothing wrong while the services and then the database are killed', async () => {
  const services = processesOf(server).filter((name) => name.startsWith('services'));
  expect(services.length).toBeGreaterThan(0);
  for (const name of [...services, 'embedded-mongo'])
    await drill.under(server, `kill -9 ${name}`, () => end(server, name, 'SIGKILL'));
  expect(drill.takeWrongs()).toEqual([]);
});
