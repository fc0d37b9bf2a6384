import { type ExecFileException, execFile } from 'node:child_process';
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { connectNats } from '@moothall/messaging';
import { Redis } from 'ioredis';
import { headers } from 'nats';
import type { Finding } from '../src/doctor/finding';
import { type Connection, isAlive, ServerUnderTest, until } from './server-under-test';

jest.setTimeout(180_000);

const dist = path.resolve(__dirname, '../dist');

/* With a whole server, because the doctor checks all parts. */
describe('npm run doctor', () => {
  let server: ServerUnderTest;
  let connection: Connection;
  beforeAll(async () => {
    server = await ServerUnderTest.on(path.join(dist, 'main.js'));
    connection = await server.start({ PROCESSES: '2' });
  });
  afterAll(() => server.remove());

  function run(args: string[] = [], env: Record<string, string> = { MOOTHALL_DATA_DIR: server.dataFolder }) {
    return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const { NATS_URL: _, REDIS_URL: __, MONGODB_URI: ___, ...own } = process.env;
      execFile(
        process.execPath,
        [path.join(dist, 'doctor/main.js'), ...args],
        { env: { ...own, ...env } },
        (error: ExecFileException | null, stdout, stderr) =>
          resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
      );
    });
  }
  async function look() {
    const { code, stdout } = await run(['--json']);
    const { well, findings } = JSON.parse(stdout) as { well: boolean; findings: Finding[] };
    const bad = findings.filter(({ state, about }) => state !== 'fine' && about !== 'Node' && about !== 'disk');
    const named = bad.map(({ about, state }) => `${about} ${state}`).sort();
    return { code, well, abouts: new Set(findings.map(({ about }) => about)), bad, named };
  }
  /**
   * Repeats the check a few times if there are more findings: a busy machine may have late processes and missing
   * leases.
   */
  async function lookFor(expected: string[]) {
    for (let times = 1; ; times++) {
      const seen = await look();
      if (times === 10 || seen.named.join() === expected.join()) return seen;
    }
  }

  it('reports a healthy server as healthy, with every check', async () => {
    const { code, well, abouts, bad } = await lookFor([]);
    expect(bad).toEqual([]);
    expect([code, well]).toEqual([0, true]);
    const all = ['Node', 'programs', 'process', 'disk', 'secrets', 'gateway', 'processes', 'MongoDB', 'leases', 'NATS'];
    expect([...abouts]).toEqual(expect.arrayContaining([...all, 'dead letters', 'Redis', 'queues', 'failed jobs']));
  });

  it('reports errors and coming ones', async () => {
    const redis = new Redis(connection.redis_url);
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const nats = await connectNats(connection.nats_url, 'test');
    const why = headers();
    why.set('dead-letter-of', 'somebody');
    why.set('dead-letter-reason', '"it cannot be done"');
    await nats.jetstream().publish('dead_letters.somebody', '{}', { headers: why });
    chmodSync(path.join(server.dataFolder, 'secrets.json'), 0o644);
    const wrong = ['Redis fault', 'dead letters warning', 'secrets warning'];
    const { code, well, bad, named } = await lookFor(wrong);
    await redis.config('SET', 'maxmemory-policy', 'noeviction');
    redis.disconnect();
    await nats.close();
    expect([code, well]).toEqual([1, false]);
    expect(named).toEqual(wrong);
    expect(bad.find(({ state }) => state === 'fault')!.says).toBe(
      'maxmemory-policy is allkeys-lru: queues lose jobs. Set noeviction.',
    );
  });

  it('reports what is missing after a kill, without passwords', async () => {
    const services = server.pidOf('services')!;
    server.signal('SIGKILL');
    await server.untilExit();
    await until(() => !isAlive(services));
    const { code, stdout } = await run();
    expect(code).toBe(1);
    expect(stdout).toMatch(/FAULT +process +The server is not running/);
    expect(stdout).toMatch(/FAULT +leases +No process holds a lease/);
    expect(stdout).toMatch(/FAULT +gateway +connect ECONNREFUSED/);
    expect(stdout).toMatch(/\d+ faults, \d+ warnings?\.\n$/);
    for (const secret of [connection.password, connection.token, new URL(connection.redis_url).password])
      expect(stdout).not.toContain(secret);
  });

  it('reports that there is no server, and ends with code 2', async () => {
    const { code, stderr } = await run([], { MOOTHALL_DATA_DIR: path.join(server.dataFolder, 'nothing') });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^No server runs on .*nothing: there is no connection\.json\./);
  });
});
