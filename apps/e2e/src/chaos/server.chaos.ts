import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@moothall/processes';
import { SmallDisk } from '@moothall/testing';
import { OwnServer } from '../server/own-server';
import { until } from '../server/until';
import { ChaosTest, end, hang, processesOf, standStill } from './chaos-test';
import { Clock, hasClock } from './clock';
import { connectionsOf, cutOff } from './network';

/*
 * Clients write and read while one part after another fails. Acknowledged writes are compared with the
 * state of the server, and this with the deliveries of hooks.
 */

// The load has one caller, who must not wait for a free slot of its share.
const env = { SLOW_REQUESTS_PER_CALLER: '1000' };
const fullMs = 5_000;
/** Until every process has read its clock again. */
const jumpMs = 3_000;
const chaos = new ChaosTest();

jest.setTimeout(1_800_000);
beforeAll(() => chaos.start());
afterAll(() => chaos.end());
afterEach(() => expect(chaos.takeWrongs()).toEqual([]));

/** @param args options for its processes */
function serverWith(args: string[], more: Record<string, string> = {}, folder?: string): OwnServer {
  const server = new OwnServer({ ...env, ...more }, args, folder);
  beforeAll(async () => {
    await server.start();
    await chaos.prepare(server);
  });
  afterAll(() => server.stop());
  return server;
}

describe('one process of each', () => {
  const server = serverWith(['--services', '--replicas', '1', '--gateways', '2'], { HANG_TIMEOUT_SECONDS: '5' });

  it('whichever process is killed', async () => {
    const names = processesOf(server);
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) await chaos.under(server, `kill -9 ${name}`, () => end(server, name, 'SIGKILL'));
  });

  it('the infrastructure is restarted', async () => {
    for (const name of ['nats', 'redis', 'embedded-mongo'])
      await chaos.under(server, `restart of ${name}`, () => end(server, name, 'SIGTERM'));
  });

  it('a process is stopped for 3 s and continues', async () => {
    for (const name of processesOf(server))
      await chaos.under(server, `${name} stands still`, () => standStill(server, name));
  });

  it('a process hangs', async () => {
    for (const name of ['collaboration', 'gateway-1', 'projects', 'repository'])
      await chaos.under(server, `${name} hangs`, () => hang(server, name));
  });

  it('every process is replaced', () => chaos.under(server, 'all are replaced', () => server.replace()));
});

describe('two of each', () => {
  const server = serverWith(['--services', '--replicas', '2', '--gateways', '2']);

  it('one of them is killed', async () => {
    for (const name of processesOf(server).filter((one) => one.endsWith('-1')))
      await chaos.under(server, `kill -9 ${name} of two`, () => end(server, name, 'SIGKILL'));
  });
});

(process.env.CHAOS_NETWORK ? describe : describe.skip)('a network of its own', () => {
  const server = serverWith(['--services', '--replicas', '1', '--gateways', '2']);

  it('is cut between all processes and NATS for 3 s', async () => {
    const port = new URL(server.natsUrl).port;
    await chaos.under(server, 'the network: NATS is out of reach', () => cutOff([port]));
  });

  it('is cut between one service and NATS for 3 s', async () => {
    for (const name of ['collaboration', 'gateway-1', 'projects', 'repository'])
      await chaos.under(server, `the network: ${name} does not reach NATS`, () =>
        cutOff(connectionsOf(server.pidOf(name)!, new URL(server.natsUrl).port)),
      );
  });
});

(hasClock() ? describe : describe.skip)('a clock of its own', () => {
  const clock = new Clock();
  const server = serverWith(['--services', '--replicas', '1', '--gateways', '2'], clock.env);

  it.each([
    ['an hour ahead', 3_600],
    ['right again', 0],
    ['an hour behind', -3_600],
    ['right once more', 0],
  ])('jumps until it is %s', async (where, seconds) => {
    await chaos.under(server, `the clock jumps: ${where}`, async () => {
      clock.set(seconds);
      await until('another time', async () => Math.abs((await aheadOf(server)) - seconds) < 60);
      await new Promise((resolve) => setTimeout(resolve, jumpMs));
    });
  });
});

/** Offset in seconds, as the server reports it. */
async function aheadOf(server: OwnServer): Promise<number> {
  const { headers } = await fetch(`${server.url}/api/v4/version`, { headers: { 'private-token': server.token } });
  return (Date.parse(headers.get('date') ?? '') - Date.now()) / 1000;
}

const parts = { git: 'git', objects: 'objects', 'the database': 'embedded-mongo', jobs: 'redis', events: 'nats' };
(mayMount() ? describe : describe.skip)('a disk of its own for each part', () => {
  const disks = new Map<string, SmallDisk>();
  const folder = temporaryFolder('chaos');
  // In place of folders of its data folder, before it starts.
  beforeAll(() => {
    for (const [what, name] of Object.entries(parts)) {
      const disk = SmallDisk.mount(256);
      disks.set(what, disk);
      symlinkSync(disk.folder, path.join(folder, name));
    }
  });
  const server = serverWith([], {}, folder);
  afterAll(() => {
    for (const disk of disks.values()) disk.unmount();
  });

  it.each(Object.keys(parts))('that of %s is full for a while', async (what) => {
    const disk = disks.get(what)!;
    await chaos.under(server, `full disk of ${what}`, async () => {
      disk.fill();
      await new Promise((resolve) => setTimeout(resolve, fullMs));
      disk.makeRoom();
    });
  });
});

function mayMount(): boolean {
  try {
    SmallDisk.mount(1).unmount();
    return true;
  } catch {
    return false;
  }
}
