import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { connect } from 'nats';
import {
  findFreePort,
  natsMaxPayloadBytes,
  natsUrl,
  type Placement,
  type RunningProgram,
  redisUrl,
  startNats,
  startProgram,
  startRedis,
  watchJetStream,
} from '../src';
import { readNatsUrl } from '../src/nats/start-nats';

const password = 'correct horse battery staple'.replaceAll(' ', '-');

describe('infrastructure', () => {
  let place: Placement;
  let port: number;
  let program: RunningProgram | undefined;

  beforeEach(async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'moothall-infrastructure-'));
    place = { dataFolder: folder, logFolder: folder, runFolder: folder };
    port = await findFreePort();
  });
  afterEach(async () => {
    await program?.stop();
    rmSync(place.dataFolder, { recursive: true, force: true });
  });

  const killed = async (running: RunningProgram) => {
    process.kill(running.pid, 'SIGKILL');
    await running.exited;
  };

  describe('NATS', () => {
    it.each([true, false])('stores an acknowledged message through kill -9, with fsync %s', async (fsync) => {
      place.fsync = fsync;
      program = await startNats(place, port, password);
      const before = await connect({ ...readNatsUrl(natsUrl(port, password)), reconnect: false });
      const manager = await before.jetstreamManager();
      await manager.streams.add({ name: 'EVENTS', subjects: ['events.>'] });
      for (let i = 0; i < 50; i++) await before.jetstream().publish('events.made', String(i));
      await killed(program);
      await before.close();

      program = await startNats(place, port, password);
      const after = await connect(readNatsUrl(natsUrl(port, password)));
      const { state } = await (await after.jetstreamManager()).streams.info('EVENTS');
      await after.close();
      expect(state.messages).toBe(50);
    });

    // As after a full disk: the server runs, but its JetStream does not answer.
    it('is stopped, to be restarted, if its JetStream does not answer', async () => {
      program = await startNats(place, port, password);
      const watching = watchJetStream(program, natsUrl(port, password), 10);
      const looked = await connect(readNatsUrl(natsUrl(port, password)));
      const looks = looked.subscribe('$JS.API.INFO', { max: 30 });
      for await (const _ of looks);
      await looked.close();
      await program.stop();
      await watching;

      const deaf = await startProgram({
        name: 'nats-server',
        command: 'nats-server',
        args: ['--addr', '127.0.0.1', '--port', String(port)],
        logFile: path.join(place.logFolder, 'deaf.log'),
        pidFile: path.join(place.runFolder, 'deaf.pid'),
        waitUntilReady: async (child) => void (await once(child.stderr!, 'data')),
      });
      program = deaf;
      await watchJetStream(deaf, `nats://127.0.0.1:${port}`, 10);
      await deaf.exited;
    });

    it('refuses clients without the password', async () => {
      program = await startNats(place, port, password);
      await expect(connect({ servers: `127.0.0.1:${port}`, reconnect: false })).rejects.toThrow(/authorization/i);
    });

    it('carries messages of up to 8 MB', async () => {
      program = await startNats(place, port, password);
      const connection = await connect(readNatsUrl(natsUrl(port, password)));
      connection.subscribe('echo', { callback: (_error, message) => message.respond(message.data) });
      const reply = await connection.request('echo', new Uint8Array(natsMaxPayloadBytes - 1024), { timeout: 60_000 });
      await connection.close();
      expect(reply.data).toHaveLength(natsMaxPayloadBytes - 1024);
    });
  });

  describe('Redis', () => {
    it.each([true, false])('stores an acknowledged write through kill -9, with fsync %s', async (fsync) => {
      place.fsync = fsync;
      program = await startRedis(place, port, password);
      const before = new Redis(redisUrl(port, password));
      before.on('error', () => {});
      await before.set('kept', 'yes');
      await killed(program);
      before.disconnect();

      program = await startRedis(place, port, password);
      const after = new Redis(redisUrl(port, password));
      expect(await after.get('kept')).toBe('yes');
      expect(await after.config('GET', 'appendfsync')).toEqual(['appendfsync', fsync ? 'always' : 'no']);
      expect(await after.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
      after.disconnect();
    });

    it('refuses clients without the password', async () => {
      program = await startRedis(place, port, password);
      const stranger = new Redis(port, '127.0.0.1', { retryStrategy: null });
      stranger.on('error', () => {});
      await expect(stranger.get('kept')).rejects.toThrow(/NOAUTH/);
      stranger.disconnect();
    });
  });

  it('stores passwords in files that only this user can read', async () => {
    program = await startRedis(place, port, password);
    const file = path.join(place.runFolder, 'redis.conf');
    expect(readFileSync(file, 'utf8')).toContain(password);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
