import { OwnServer } from '../server/own-server';
import { ChaosTest, end, processesOf } from './chaos-test';

/* The short form of server.chaos.ts, which has all the faults: one process is killed under load, then another. */

jest.setTimeout(900_000);

const chaos = new ChaosTest();
// The load has one caller, who must not wait for a free slot of its share.
const server = new OwnServer({ SLOW_REQUESTS_PER_CALLER: '1000' });

beforeAll(async () => {
  await chaos.start();
  await server.start();
  await chaos.prepare(server);
});
afterAll(async () => {
  await server.stop();
  chaos.end();
});

it('loses, doubles and delivers nothing wrong while the services and then the database are killed', async () => {
  const services = processesOf(server).filter((name) => name.startsWith('services'));
  expect(services.length).toBeGreaterThan(0);
  for (const name of [...services, 'embedded-mongo'])
    await chaos.under(server, `kill -9 ${name}`, () => end(server, name, 'SIGKILL'));
  expect(chaos.takeWrongs()).toEqual([]);
});
