import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { findProgram } from '@moothall/processes';
import { Redis } from 'ioredis';
import { ServerUnderTest, until } from './server-under-test';

jest.setTimeout(180_000);

const main = path.join(__dirname, 'fixtures/main.js');

describe('the supervisor', () => {
  let server: ServerUnderTest;
  beforeEach(async () => {
    server = await ServerUnderTest.on(main);
  });
  afterEach(() => server.remove());

  const dataFile = (name: string) => path.join(server.dataFolder, name);

  describe('refuses to start with one clear line and exit code 1', () => {
    it('when settings are wrong, all of them named', async () => {
      server.launch({ PORT: 'eighty', MONGODB_ENGINE: 'none' });
      expect(await server.untilExit()).toBe(1);
      expect(server.output).toBe(
        'Settings are wrong:\n' +
          '  PORT: it must be a whole number from 0 to 65535, not "eighty"\n' +
          '  MONGODB_ENGINE: it must be one of auto, embedded, mongod, not "none"\n',
      );
    });

    it('when the port is in use', async () => {
      const other = createServer();
      await new Promise<void>((resolve) => other.listen(server.port, '127.0.0.1', resolve));
      server.launch();
      expect(await server.untilExit()).toBe(1);
      other.close();
      expect(server.output).toBe(`Port ${server.port} is in use. Set PORT to another one.\n`);
    });

    it('when the data folder cannot be written', async () => {
      writeFileSync(dataFile('occupied'), '');
      server.launch({ MOOTHALL_DATA_DIR: dataFile('occupied') });
      expect(await server.untilExit()).toBe(1);
      expect(server.output).toMatch(/^The data folder .*occupied is not writable: .*occupied is not a folder\. .*\n$/);
    });

    it('when a program is missing', async () => {
      server.launch({ PATH: server.dataFolder });
      expect(await server.untilExit()).toBe(1);
      expect(server.output).toMatch(
        /^Not installed: nats-server, redis-server, git, bzip2, pigz\. Install them, or run .*\n$/,
      );
    });

    it('if only a program for repositories is missing, without advice on databases', async () => {
      const programs = dataFile('programs');
      mkdirSync(programs);
      for (const program of ['nats-server', 'redis-server', 'git', 'bzip2']) {
        symlinkSync(findProgram(program) ?? '', path.join(programs, program));
      }
      server.launch({ PATH: programs });
      expect(await server.untilExit()).toBe(1);
      expect(server.output).toBe('Not installed: pigz. Install it.\n');
    });

    it('when another server runs on the data folder', async () => {
      const { pid } = await server.start();
      const second = await ServerUnderTest.on(main);
      second.launch({ MOOTHALL_DATA_DIR: server.dataFolder });
      expect(await second.untilExit()).toBe(1);
      await second.remove();
      expect(second.output).toMatch(new RegExp(`^Process ${pid} already uses the data folder .*\\. .*\n$`));
    });

    it('if a service refuses, with its reason, and leaves no process', async () => {
      server.launch({ FIXTURE_SERVICES: 'refuse' });
      expect(await server.untilExit()).toBe(1);
      expect(server.output).toContain('services ended at its start, with code 1');
      expect(server.output).toContain('LIMIT: it must be a whole number, not "many"');
      expect(server.livingPids()).toEqual([]);
    });
  });

  it('prints its address, on the console and in a file that only this user can read', async () => {
    const connection = await server.start();
    await until(() => server.output.includes('Started in'));
    expect(connection).toMatchObject({ url: `http://127.0.0.1:${server.port}`, username: 'root' });
    for (const text of [connection.url, connection.password, connection.token]) expect(server.output).toContain(text);
    expect(server.output.match(/^ {2}(curl|git) .*$/gm)).toHaveLength(3);
    expect(statSync(dataFile('connection.json')).mode & 0o777).toBe(0o600);
    expect(statSync(dataFile('secrets.json')).mode & 0o777).toBe(0o600);
    expect(Object.keys(connection)).toEqual([
      'url',
      'token',
      'username',
      'password',
      'pid',
      'mongodb_uri',
      'nats_url',
      'redis_url',
      'ssh_port',
      'registry_url',
      'metrics_url',
      'places',
    ]);
  });

  it('runs without docker-registry, and prints that it is missing', async () => {
    const programs = dataFile('programs');
    mkdirSync(programs);
    for (const program of ['nats-server', 'redis-server', 'git', 'bzip2', 'pigz', 'mongod'])
      if (findProgram(program)) symlinkSync(findProgram(program)!, path.join(programs, program));
    const { registry_url } = await server.start({ PATH: programs });
    expect(registry_url).toBeNull();
    expect(server.pidOf('docker-registry')).toBeUndefined();
  });

  it('uses the first password and token of the settings', async () => {
    const chosen = { ROOT_PASSWORD: 'correct-horse', ROOT_TOKEN: 'moot-0123456789abcdef' };
    expect(await server.start(chosen)).toMatchObject({ password: chosen.ROOT_PASSWORD, token: chosen.ROOT_TOKEN });
  });

  it('prints warnings on the console and writes everything to the logs', async () => {
    await server.start();
    await until(() => server.output.includes('warn services: a warning\n'));
    expect(server.output).not.toContain('a quiet line');
    expect(readFileSync(dataFile('logs/services.log'), 'utf8')).toContain('a quiet line');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('finishes running requests on %s and leaves no process', async (signal) => {
    const { url } = await server.start();
    const answer = await fetch(`${url}/slow`);
    server.signal(signal);
    expect(await answer.text()).toBe('begun finished');
    expect(await server.untilExit()).toBe(0);
    expect(server.livingPids()).toEqual([]);
  });

  // Killed tests leave no process running.
  it('stops after the process that started it with a channel', async () => {
    await server.start();
    server.disconnect();
    expect(await server.untilExit()).toBe(0);
    expect(server.livingPids()).toEqual([]);
  });

  it('treats a Ctrl-C that arrives twice at the same time as one', async () => {
    await server.start();
    server.signal('SIGINT');
    server.signal('SIGINT');
    expect(await server.untilExit()).toBe(0);
    expect(server.livingPids()).toEqual([]);
  });

  it('stops immediately at a second signal', async () => {
    await server.start({ FIXTURE_SERVICES: 'stubborn', STOP_TIMEOUT_SECONDS: '1h' });
    server.signal('SIGTERM');
    const again = setInterval(() => server.signal('SIGTERM'), 200);
    expect(await server.untilExit()).toBe(1);
    clearInterval(again);
    expect(server.livingPids()).toEqual([]);
  });

  it('kills a service that does not stop in time', async () => {
    await server.start({ FIXTURE_SERVICES: 'stubborn', STOP_TIMEOUT_SECONDS: '1' });
    expect(await server.stop()).toBe(0);
    expect(server.livingPids()).toEqual([]);
  });

  it('stops cleanly while it is still starting', async () => {
    server.launch();
    await until(() => server.pidOf('redis') !== undefined);
    expect(await server.stop()).toBe(0);
    expect(server.livingPids()).toEqual([]);
  });

  it('restarts processes that end unexpectedly, at the same addresses', async () => {
    const { url, redis_url } = await server.start();
    const before = [server.pidOf('gateway'), server.pidOf('redis')];
    await fetch(`${url}/crash`).catch(() => {});
    process.kill(server.pidOf('redis')!, 'SIGKILL');
    await until(async () => (await fetch(url).catch(() => undefined))?.status === 401);
    await until(() => server.pidOf('redis') !== undefined && server.pidOf('redis') !== before[1]);
    expect(await withRedis(redis_url, (redis) => redis.ping())).toBe('PONG');
    expect(server.pidOf('gateway')).not.toBe(before[0]);
    await until(() => server.output.includes('gateway ended with code 7 and is started again'));
    await until(() => server.output.includes('redis-server ended by SIGKILL and is started again'));
  });

  it('restarts processes that hang, in a loop or stopped, and prints their work', async () => {
    const { url } = await server.start({ HANG_TIMEOUT_SECONDS: '1' });
    const isBack = async () => (await fetch(url).catch(() => undefined))?.status === 401;
    fetch(`${url}/hang`).catch(() => {});
    await until(() => server.output.includes('gateway ended by SIGKILL and is started again'));
    expect(server.output).toContain('gateway has not answered for 1 s; before that it worked on nothing');
    await until(isBack);
    const kills = () => server.output.match(/gateway ended by SIGKILL/g)!.length;
    const before = kills();
    process.kill(server.pidOf('gateway')!, 'SIGSTOP');
    await until(() => kills() > before);
    await until(isBack);
  });

  describe('with replicas', () => {
    const args = ['--services', '--replicas', '2'];

    it('reports it in one line, and distributes connections to both gateways', async () => {
      const { url } = await server.start({}, args);
      await until(() => server.output.includes('Started in'));
      expect(server.output).toMatch(/^Started in [\d.]+ s at http:\S+: 2 gateways, 2 of each service\.$/m);
      await until(() => server.output.includes('warn identity-2: a warning\n'));
      for (const name of ['ci-1', 'identity-1', 'identity-2', 'repository-2'])
        expect(server.pidOf(name)).toBeGreaterThan(0);
      // The next free gateway accepts a connection: a few may all go to one.
      const answering = new Set<string>();
      await until(async () => answering.add(await answerOf(url)).size > 1);
      expect(answering).toEqual(new Set([server.pidOf('gateway-1'), server.pidOf('gateway-2')].map(String)));
      expect(await server.stop()).toBe(0);
      expect(server.livingPids()).toEqual([]);
    });

    it('refuses an invalid value in one line', async () => {
      server.launch({}, ['--replicas', 'many']);
      expect(await server.untilExit()).toBe(1);
      expect(server.output).toBe('--replicas is a whole number from 1 to 16, not "many".\n');
    });
  });

  it('replaces every process on SIGUSR2, and there is always one that answers', async () => {
    const { url, redis_url } = await server.start({ FIXTURE_SERVICES: 'stand-by' });
    const before = server.livingPids();
    const beneath = [server.pidOf('redis'), server.pidOf('embedded-mongo')];
    await until(() => server.output.includes('Started in'));
    server.signal('SIGUSR2');
    let isReplaced = false;
    await until(async () => {
      expect(await answerOf(url)).toMatch(/^\d+$/);
      isReplaced = server.output.includes('Every process was replaced.');
      return isReplaced;
    });
    expect(before).not.toContain(Number(await answerOf(url)));
    expect([server.pidOf('redis'), server.pidOf('embedded-mongo')]).toEqual(beneath);
    expect(await withRedis(redis_url, (redis) => redis.ping())).toBe('PONG');
    expect(server.output).not.toContain('started again');
    expect(await server.stop()).toBe(0);
    expect(server.livingPids()).toEqual([]);
  });

  it('keeps data and sign-in after a second start', async () => {
    const first = await server.start();
    await write(first.redis_url, 'kept');
    await server.stop();
    const second = await server.start();
    expect(await read(second.redis_url)).toBe('kept');
    expect([second.token, second.password]).toEqual([first.token, first.password]);
  });

  it('loses nothing when the whole tree is killed, and clears up after it', async () => {
    const first = await server.start();
    await write(first.redis_url, 'kept');
    for (const pid of server.livingPids()) process.kill(pid, 'SIGKILL');
    await server.untilExit();
    const second = await server.start();
    expect(await read(second.redis_url)).toBe('kept');
    expect(await server.stop()).toBe(0);
    expect(server.livingPids()).toEqual([]);
  });

  it('leaves no process of its own if only it is killed and restarted', async () => {
    const { pid } = await server.start();
    const children = ['gateway', 'services'].map((name) => server.pidOf(name)!);
    const beneath = server.livingPids().filter((living) => living !== pid && !children.includes(living));
    process.kill(pid, 'SIGKILL');
    await server.untilExit();
    // The channel to the parent closed: Node children end by themselves, the programs beneath at the next start.
    await until(() => children.every((child) => !server.livingPids().includes(child)));
    await server.start();
    expect(server.livingPids().filter((living) => beneath.includes(living))).toEqual([]);
  });

  it('does not make new keys over a damaged file of secrets', async () => {
    writeFileSync(dataFile('secrets.json'), '{"secretKey": "cut sh');
    server.launch();
    expect(await server.untilExit()).toBe(1);
    expect(server.output).toMatch(/^.*secrets\.json cannot be read\. Restore it from a backup/);
    expect(readFileSync(dataFile('secrets.json'), 'utf8')).toBe('{"secretKey": "cut sh');
  });
});

/** On a separate connection. */
async function answerOf(url: string): Promise<string> {
  return (await fetch(url, { headers: { connection: 'close' } })).text();
}

function write(redisUrl: string, value: string): Promise<unknown> {
  return withRedis(redisUrl, (redis) => redis.set('value', value));
}

function read(redisUrl: string): Promise<string | null> {
  return withRedis(redisUrl, (redis) => redis.get('value'));
}

async function withRedis<T>(url: string, use: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url);
  redis.on('error', () => {});
  try {
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}
