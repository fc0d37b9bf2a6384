import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { ServerProcess } from './server-process';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'embedded-mongo-start-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function withClient<T>(uri: string, use: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 3000 });
  try {
    return await use(await client.connect());
  } finally {
    await client.close();
  }
}

const ping = (uri: string): Promise<unknown> => withClient(uri, (client) => client.db('test').command({ ping: 1 }));

describe('on a socket', () => {
  test('listens in a folder only its owner may enter, and ends cleanly on SIGTERM', async () => {
    const data = join(folder, 'data');
    const server = await ServerProcess.start(data);
    expect(statSync(join(data, 'socket')).mode & 0o777).toBe(0o700);
    expect(await ping(server.uri)).toEqual({ ok: 1 });
    expect(await server.end('SIGTERM')).toBe(0);
    expect(existsSync(join(data, 'server.lock'))).toBe(false);
  });

  test('answers pending requests before it stops', async () => {
    const data = join(folder, 'data');
    const server = await ServerProcess.start(data);
    const client = await new MongoClient(server.uri, { serverSelectionTimeoutMS: 5000 }).connect();
    const items = client.db('test').collection<{ _id: number }>('items');
    const writing = Array.from({ length: 200 }, (_, _id) => items.insertOne({ _id }).then(() => _id));
    await Promise.race(writing);
    expect(await server.end('SIGTERM')).toBe(0);
    const results = await Promise.allSettled(writing);
    await client.close();
    const acknowledged = results.filter(({ status }) => status === 'fulfilled').length;
    const again = await ServerProcess.start(data);
    const stored = await withClient(again.uri, (next) => next.db('test').collection('items').countDocuments());
    expect(stored).toBeGreaterThanOrEqual(acknowledged);
    await again.end('SIGTERM');
  });

  test('refuses a folder that other users can enter', async () => {
    const open = join(folder, 'open');
    mkdirSync(open);
    chmodSync(open, 0o755);
    await expect(ServerProcess.start(join(folder, 'data'), '--socket', join(open, 'm.sock'))).rejects.toThrow(
      /exit 1: .*mode 700/,
    );
  });
});

describe('the data folder', () => {
  test('is refused while another process uses it, and taken over after a kill', async () => {
    const data = join(folder, 'data');
    const first = await ServerProcess.start(data);
    await expect(ServerProcess.start(data, '--socket', join(folder, 'other', 'm.sock'))).rejects.toThrow(
      new RegExp(`exit 1: embedded-mongo: the folder .* is in use by process ${first.pid}$`),
    );
    expect(await ping(first.uri)).toEqual({ ok: 1 });
    await first.end('SIGKILL');
    const second = await ServerProcess.start(data);
    expect(await ping(second.uri)).toEqual({ ok: 1 });
    await second.end('SIGTERM');
  });

  test('that is no folder is one clear line', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    await expect(ServerProcess.start(file)).rejects.toThrow(/^exit 1: embedded-mongo: [^\n]+$/);
  });
});

test.each([
  [[], /--dbpath/],
  [['--dbpath', 'x', '--port', 'http'], /--port must be a whole number/],
  [['--dbpath', 'x', '--memory', '0'], /--memory must be a whole number/],
  [['--dbpath', 'x', '--frobnicate'], /frobnicate/],
])('wrong options (%j) are one clear line', async (options, message) => {
  const error = await ServerProcess.startWith(options).catch((caught) => caught);
  expect(error.message).toMatch(/^exit 1: embedded-mongo: [^\n]+$/);
  expect(error.message).toMatch(message);
});

/**
 * An unauthenticated client cannot make the server store much: a message above 64 KiB ends the connection before it
 * is read.
 */
async function expectHangUp(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  const header = Buffer.alloc(16);
  header.writeInt32LE(64 * 1024 + 1, 0);
  header.writeInt32LE(2013, 12);
  socket.on('error', () => undefined);
  socket.write(header);
  await new Promise((resolve) => socket.once('close', resolve));
}

describe('over TCP', () => {
  test('requires the credentials, and stores them', async () => {
    const data = join(folder, 'data');
    const server = await ServerProcess.start(data, '--port', '0');
    expect(await ping(server.uri)).toEqual({ ok: 1 });
    const { host } = new URL(server.uri);
    await withClient(`mongodb://${host}/`, async (client) => {
      await expect(client.db('test').collection('a').findOne()).rejects.toMatchObject({ code: 13 });
      await expect(client.db('test').command({ listDatabases: 1 })).rejects.toMatchObject({ code: 13 });
    });
    await expectHangUp(Number(new URL(server.uri).port));
    const wrong = server.uri.replace(/:[0-9a-f]{48}@/, ':wrong@');
    await expect(ping(wrong)).rejects.toMatchObject({ code: 18 });
    await expect(ping(server.uri.replace('embedded:', 'nobody:'))).rejects.toMatchObject({ code: 18 });
    expect(statSync(join(data, 'credentials.json')).mode & 0o777).toBe(0o600);
    await server.end('SIGTERM');
    const again = await ServerProcess.start(data, '--port', new URL(server.uri).port);
    expect(again.uri).toBe(server.uri);
    expect(await ping(again.uri)).toEqual({ ok: 1 });
    await again.end('SIGTERM');
  });
});
