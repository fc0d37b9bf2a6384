import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { natsUrl, type RunningProgram, startNats, startOnFreePort, startProgram } from '@moothall/infrastructure';
import { type NatsConnection, nanos, nkeys, StorageType } from 'nats';
import { connectNats, ensureEventStream } from '../src';

/* A NATS of somebody else: its cluster, certificates, credentials and streams. */

const folder = mkdtempSync(path.join(tmpdir(), 'moothall-test-'));
const programs: RunningProgram[] = [];
afterAll(async () => {
  await Promise.all(programs.map((program) => program.stop()));
  rmSync(folder, { recursive: true, force: true });
});

async function startServer(name: string, password: string) {
  const own = mkdtempSync(path.join(folder, name));
  const place = { dataFolder: own, logFolder: own, runFolder: own };
  const { port, program } = await startOnFreePort((free) => startNats(place, free, password));
  programs.push(program);
  return { url: natsUrl(port, password), program };
}

/** Enough of a server to connect to; resolves with the connect message of the client. */
function answer(socket: Socket): Promise<Record<string, unknown>> {
  socket.write(
    `INFO ${JSON.stringify({ server_id: 'x', version: '2.9.0', max_payload: 1024, nonce: 'n', headers: true })}\r\n`,
  );
  return new Promise((resolve) => {
    socket.on('data', (bytes) => {
      const said = /CONNECT (\{.*\})/.exec(bytes.toString())?.[1];
      if (said) resolve(JSON.parse(said));
      if (bytes.includes('PING')) socket.write('PONG\r\n');
    });
    socket.on('error', () => undefined);
  });
}

it('signs in to each of several servers with its own password', async () => {
  const [one, other] = [await startServer('one', 'first'), await startServer('other', 'second')];
  const connection = await connectNats(`${one.url},${other.url}`, 'test');
  expect(connection.getServer()).toBe(new URL(one.url).host);
  const back = (async () => {
    for await (const { type } of connection.status()) if (type === 'reconnect') return;
  })();
  process.kill(one.program.pid, 'SIGKILL');
  await back;
  expect(connection.getServer()).toBe(new URL(other.url).host);
  await connection.close();
  // The first has stopped: its client finds the second.
  const later = await connectNats(`${one.url},${other.url}`, 'test');
  expect(later.getServer()).toBe(new URL(other.url).host);
  await later.close();
});

it('signs in with a credentials file', async () => {
  const user = nkeys.createUser();
  const file = path.join(folder, 'user.creds');
  const seed = new TextDecoder().decode(user.getSeed());
  writeFileSync(
    file,
    `-----BEGIN NATS USER JWT-----\nthe.jwt.itself\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`,
  );
  const said: Promise<Record<string, unknown>>[] = [];
  const server = createServer((socket) => said.push(answer(socket))).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  const connection = await connectNats(`nats://127.0.0.1:${port}`, 'test', { credentialsFile: file });
  const { jwt, sig } = await said[0]!;
  expect(jwt).toBe('the.jwt.itself');
  expect(user.verify(Buffer.from('n'), Buffer.from(String(sig), 'base64url'))).toBe(true);
  await connection.close();
  server.close();
});

/* A NATS that others also use: other accounts do not receive the messages of this one. */
it('signs in to its account, which other accounts cannot reach', async () => {
  const file = path.join(folder, 'accounts.conf');
  const account = (name: string) => `${name}: { users: [{ user: ${name}, password: ${name}-secret }] }`;
  writeFileSync(file, `accounts: { ${account('moothall')}, ${account('others')} }`);
  const url = await startConfigured('accounts', file);
  const [ours, theirs] = await Promise.all(
    ['moothall', 'others'].map((name) => connectNats(url.replace('//', `//${name}:${name}-secret@`), name)),
  );
  let asked = 0;
  ours!.subscribe('identity.users.get', {
    callback: (_error, message) => {
      asked++;
      message.respond('{}');
    },
  });
  await ours!.flush();
  await expect(theirs!.request('identity.users.get')).rejects.toThrow('503');
  expect((await ours!.request('identity.users.get')).string()).toBe('{}');
  expect(asked).toBe(1);
  await expect(connectNats(url, 'nobody')).rejects.toThrow(/authorization/i);
  await Promise.all([ours!.close(), theirs!.close()]);
});

it('signs in with a token', async () => {
  const file = path.join(folder, 'token.conf');
  writeFileSync(file, 'authorization: { token: "a-token" }');
  const url = await startConfigured('token', file);
  const connection = await connectNats(url.replace('//', '//a-token@'), 'test');
  await connection.flush();
  await connection.close();
  await expect(connectNats(url.replace('//', '//another@'), 'test')).rejects.toThrow(/authorization/i);
});

async function startConfigured(name: string, file: string): Promise<string> {
  const { port, program } = await startOnFreePort((free) =>
    startProgram({
      name: 'nats-server',
      command: 'nats-server',
      args: ['-a', '127.0.0.1', '-p', String(free), '-c', file],
      logFile: path.join(folder, `${name}.log`),
      pidFile: path.join(folder, `${name}.pid`),
      waitUntilReady: async () => {
        while (!(await canConnect(free))) await new Promise((resolve) => setTimeout(resolve, 50));
      },
    }),
  );
  programs.push(program);
  return `nats://127.0.0.1:${port}`;
}

it('uses TLS if the address requires it, with servers of the configured authority', async () => {
  const [key, certificate] = ['key.pem', 'certificate.pem'].map((name) => path.join(__dirname, 'tls', name));
  const { port, program } = await startOnFreePort((free) =>
    startProgram({
      name: 'nats-server',
      command: 'nats-server',
      args: ['-a', '127.0.0.1', '-p', String(free), '--tls', '--tlscert', certificate!, '--tlskey', key!],
      logFile: path.join(folder, 'tls.log'),
      pidFile: path.join(folder, 'tls.pid'),
      waitUntilReady: async () => {
        while (!(await canConnect(free))) await new Promise((resolve) => setTimeout(resolve, 50));
      },
    }),
  );
  programs.push(program);
  const url = `tls://localhost:${port}`;
  const connection = await connectNats(url, 'test', { caFile: certificate });
  await connection.flush();
  await connection.close();
  await expect(connectNats(url, 'test')).rejects.toThrow();
});

const canConnect = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket.destroy() !== undefined));
    socket.on('error', () => resolve(false));
  });

describe('the stream of events', () => {
  let url: string;
  let connection: NatsConnection;
  beforeEach(async () => {
    ({ url } = await startServer('streams', 'password'));
    connection = await connectNats(url, 'test');
  });
  afterEach(() => connection.close());

  const found = async (name = 'EVENTS') => (await (await connection.jetstreamManager()).streams.info(name)).config;

  it('keeps the options of an operator, and gets the configured ones', async () => {
    const manager = await connection.jetstreamManager();
    const made = { name: 'EVENTS', subjects: ['events.>'], storage: StorageType.Memory, max_msgs: 5_000_000 };
    await manager.streams.add({ ...made, max_age: nanos(1_000_000), description: 'of the operator' });
    await ensureEventStream(manager);
    expect(await found()).toMatchObject({ ...made, max_age: nanos(1_000_000), description: 'of the operator' });
    await ensureEventStream(manager, { maxAgeSeconds: 7_200, duplicateWindowSeconds: 60, storage: 'file' });
    expect(await found()).toMatchObject({
      ...made,
      max_age: nanos(7_200_000),
      duplicate_window: nanos(60_000),
      description: 'of the operator',
    });
  });

  it('does not prevent the start of services if it cannot be changed', async () => {
    const manager = await connection.jetstreamManager();
    await ensureEventStream(manager);
    const made = await found();
    // NATS refuses a window that is longer than the retention of events.
    await ensureEventStream(manager, { duplicateWindowSeconds: 30 * 24 * 60 * 60 });
    expect(await found()).toEqual(made);
  });

  it('is created with its options, by any number of concurrent processes', async () => {
    const manager = await connection.jetstreamManager();
    const options = { storage: 'memory', maxAgeSeconds: 3_600 } as const;
    await Promise.all([
      ensureEventStream(manager, options),
      ensureEventStream(manager),
      ensureEventStream(manager, options),
    ]);
    expect(await found()).toMatchObject({ storage: 'memory', max_age: nanos(3_600_000) });
    expect(await found('DEAD_LETTERS')).toMatchObject({ subjects: ['dead_letters.>'] });
  });

  // NATS reports the name or the subjects to the second of two, depending on how far the first is.
  it('is created once under concurrent requests', async () => {
    const connections = await Promise.all(Array.from({ length: 8 }, () => connectNats(url, 'test')));
    const managers = await Promise.all(connections.map((one) => one.jetstreamManager()));
    try {
      for (let round = 0; round < 30; round += 1) {
        await Promise.all(managers.map((manager, n) => ensureEventStream(manager, { maxAgeSeconds: 3_600 + n })));
        expect((await found()).subjects).toEqual(['events.>']);
        await managers[0]!.streams.delete('EVENTS');
      }
    } finally {
      await Promise.all(connections.map((one) => one.close()));
    }
  });

  it('is not created if its subjects belong to another stream', async () => {
    const manager = await connection.jetstreamManager();
    await manager.streams.add({ name: 'OTHER', subjects: ['events.>'] });
    await expect(ensureEventStream(manager)).rejects.toThrow('subjects overlap');
  });
});
