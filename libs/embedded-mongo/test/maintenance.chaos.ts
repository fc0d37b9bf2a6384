import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Collection, MongoClient } from 'mongodb';
import { ServerProcess } from './server-process';
import { TestServer } from './test-server';

/** Backup and compaction while others write, and while the server is killed. */

const WRITERS = 4;
const KEYS = 50;
const text = 'x'.repeat(1000);

interface Item {
  _id: string;
  version: number;
  text?: string;
  sentAt?: number;
}

let folder: string;
let data: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'embedded-mongo-maintenance-'));
  data = join(folder, 'data');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writers that increment versions until they are stopped or the connection ends, and their acknowledged writes. */
class Writers {
  readonly acknowledged = new Map<string, number>();
  /** All of them in order, and when that was. */
  readonly acknowledgedAt: { id: string; version: number; at: number }[] = [];
  private isStopped = false;
  private readonly running: Promise<void>[];

  constructor(private readonly items: Collection<Item>) {
    this.running = Array.from({ length: WRITERS }, (_, writer) => this.write(writer));
  }

  get count(): number {
    return [...this.acknowledged.values()].reduce((sum, version) => sum + version, 0);
  }

  private async write(writer: number): Promise<void> {
    for (let version = 1; ; version++) {
      for (let key = 0; key < KEYS; key++) {
        if (this.isStopped) return;
        const _id = `${writer}-${key}`;
        try {
          const change = { version, text: text.slice(version % 500), sentAt: Date.now() };
          await this.items.updateOne({ _id }, { $set: change }, { upsert: true });
        } catch {
          return;
        }
        this.acknowledged.set(_id, version);
        this.acknowledgedAt.push({ id: _id, version, at: Date.now() });
      }
    }
  }

  async until(isEnough: () => boolean): Promise<void> {
    while (!isEnough()) await new Promise((resolve) => setTimeout(resolve, 1));
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.running);
  }
}

async function connect(uri: string): Promise<{ client: MongoClient; items: Collection<Item> }> {
  const client = await new MongoClient(uri, { serverSelectionTimeoutMS: 5000 }).connect();
  return { client, items: client.db('kept').collection<Item>('items') };
}

/** Documents and index entries are a snapshot, at which at least `least` was acknowledged. */
async function expectWhole(items: Collection<Item>, least: Map<string, number>): Promise<void> {
  const stored = new Map((await items.find({}, { hint: { $natural: 1 } }).toArray()).map((item) => [item._id, item]));
  for (const [id, version] of least) expect(stored.get(id)?.version ?? 0).toBeGreaterThanOrEqual(version);
  const indexed = await items.find({ version: { $gte: 0 } }, { hint: 'version_1' }).toArray();
  expect(indexed.map(({ _id, version }) => `${_id}:${version}`).sort()).toEqual(
    [...stored.values()].map(({ _id, version }) => `${_id}:${version}`).sort(),
  );
  expect(await items.estimatedDocumentCount()).toBe(stored.size);
  // Each writer iterates over its keys, so in a snapshot earlier keys are at most one version ahead of later ones.
  for (let writer = 0; writer < WRITERS; writer++) {
    const versions = Array.from({ length: KEYS }, (_, key) => stored.get(`${writer}-${key}`)?.version ?? 0);
    expect(versions).toEqual([...versions].sort((a, b) => b - a));
    expect(versions[0]! - versions.at(-1)!).toBeLessThanOrEqual(1);
  }
}

/** Makes the file much larger than its content. */
async function fillAndEmpty(items: Collection<Item>): Promise<void> {
  await items.createIndex({ version: 1 });
  const many = Array.from({ length: 5000 }, (_, at) => ({ _id: `gone-${at}`, version: at, text }));
  await items.insertMany(many);
  await items.deleteMany({ _id: { $regex: '^gone-' } });
  await items.insertOne({ _id: 'kept', version: 0 });
}

const dataFile = () => join(data, 'data.mdb');

describe('backup', () => {
  test('is a consistent folder, created during writes, with which a server starts', async () => {
    const server = await ServerProcess.start(data, '--backups', join(folder, 'backups'));
    const { client, items } = await connect(server.uri);
    await fillAndEmpty(items);
    const writers = new Writers(items);
    await writers.until(() => writers.count > 100);
    for (const name of ['first', 'v1.2']) {
      const least = new Map(writers.acknowledged);
      const during = writers.count;
      const reply = await client.db('admin').command({ backup: name });
      const moment = (reply.at as Date).getTime();
      for (const { id, version, at } of writers.acknowledgedAt) if (at < moment) least.set(id, version);
      expect(reply).toMatchObject({ ok: 1, folder: join(folder, 'backups', name) });
      expect(reply.sizeBytes).toBe(statSync(join(reply.folder, 'data.mdb')).size);
      await writers.until(() => writers.count > during);
      const copy = await ServerProcess.start(reply.folder, '--socket', join(folder, `socket-${name}`, 'm.sock'));
      const restored = await connect(copy.uri);
      await expectWhole(restored.items, least);
      expect(await restored.items.countDocuments({ sentAt: { $gt: moment } })).toBe(0);
      await restored.items.insertOne({ _id: 'new', version: 1 });
      await restored.client.close();
      await copy.end('SIGTERM');
    }
    await writers.stop();
    expect(await items.findOne({ _id: 'new' })).toBeNull();
    await client.close();
    await server.end('SIGTERM');
  }, 120_000);

  test('that is interrupted by a kill leaves no folder with its name, and can be repeated', async () => {
    const first = await ServerProcess.start(data);
    const { client, items } = await connect(first.uri);
    await fillAndEmpty(items);
    const writers = new Writers(items);
    await writers.until(() => writers.count > 50);
    const cut = client.db('admin').command({ backup: 'cut' });
    cut.catch(() => undefined);
    const partial = join(data, 'backups', 'cut.partial');
    await writers.until(() => existsSync(partial) || existsSync(join(data, 'backups', 'cut')));
    await first.end('SIGKILL');
    await writers.stop();
    await client.close();
    const second = await ServerProcess.start(data);
    const again = await connect(second.uri);
    await expectWhole(again.items, writers.acknowledged);
    const done = existsSync(join(data, 'backups', 'cut'));
    const name = done ? 'another' : 'cut';
    await again.client.db('admin').command({ backup: name });
    expect(readdirSync(join(data, 'backups'))).toEqual(done ? ['another', 'cut'] : ['cut']);
    await again.client.close();
    await second.end('SIGTERM');
  }, 120_000);

  test('is refused outside of admin, by paths and by names there are', async () => {
    const server = await TestServer.start();
    const admin = (await server.connect()).db('admin');
    await expect(admin.command({ backup: '../up' })).rejects.toMatchObject({ code: 2 });
    await expect(admin.command({ backup: 'a', to: '/tmp' })).rejects.toMatchObject({ code: 40415 });
    await expect((await server.database('other')).command({ backup: 'a' })).rejects.toMatchObject({ code: 13 });
    await admin.command({ backup: 'a' });
    await expect(admin.command({ backup: 'a' })).rejects.toMatchObject({ code: 48 });
    const both = await Promise.allSettled([admin.command({ backup: 'b' }), admin.command({ backup: 'c' })]);
    for (const each of both) if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 117 });
    await server.stop();
  });
});

describe('compact', () => {
  test('shrinks the file during writes and reads, repeatedly, and loses nothing', async () => {
    let server = await ServerProcess.start(data);
    let { client, items } = await connect(server.uri);
    await fillAndEmpty(items);
    const before = statSync(dataFile()).size;
    const writers = new Writers(items);
    await writers.until(() => writers.count > 50);
    const cursor = items.find({}, { batchSize: 20 });
    await cursor.next();
    for (let round = 0; round < 3; round++) {
      const { ok, bytesFreed } = await client.db('kept').command({ compact: 'items' });
      expect(ok).toBe(1);
      if (round === 0) expect(bytesFreed).toBeGreaterThan(before / 2);
      const during = writers.count;
      await writers.until(() => writers.count > during + 20);
    }
    expect((await cursor.toArray()).length).toBeGreaterThan(0);
    expect(statSync(dataFile()).size).toBeLessThan(before / 2);
    expect((await client.db('kept').command({ dbStats: 1 })).storageSize).toBeGreaterThan(0);
    await writers.stop();
    await expectWhole(items, writers.acknowledged);
    await client.close();
    await server.end('SIGKILL');
    server = await ServerProcess.start(data);
    ({ client, items } = await connect(server.uri));
    await expectWhole(items, writers.acknowledged);
    expect(readdirSync(data).filter((name) => name.startsWith('compacting'))).toEqual([]);
    await client.close();
    await server.end('SIGTERM');
  }, 120_000);

  test.each([0, 3, 10, 30])(
    'killed %i ms after it began, nothing acknowledged is lost',
    async (delayMs) => {
      const first = await ServerProcess.start(data);
      const { client, items } = await connect(first.uri);
      await fillAndEmpty(items);
      const writers = new Writers(items);
      await writers.until(() => writers.count > 50);
      let isOver = false;
      const over = () => {
        isOver = true;
      };
      client.db('kept').command({ compact: 'items' }).then(over, over);
      await writers.until(() => isOver || readdirSync(data).some((name) => name.startsWith('compacting')));
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      await first.end('SIGKILL');
      await writers.stop();
      await client.close();
      const second = await ServerProcess.start(data);
      const again = await connect(second.uri);
      await expectWhole(again.items, writers.acknowledged);
      expect(readdirSync(data).filter((name) => name.startsWith('compacting'))).toEqual([]);
      await again.client.close();
      await second.end('SIGTERM');
    },
    120_000,
  );

  test('is refused for a missing collection', async () => {
    const server = await TestServer.start();
    await expect((await server.database('x')).command({ compact: 'nothing' })).rejects.toMatchObject({ code: 26 });
    await server.stop();
  });
});
