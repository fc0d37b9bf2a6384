import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Collection, type Document, MongoClient } from 'mongodb';
import { ServerProcess } from './server-process';

/** A small disk for the data folder that can be filled. Needs the right to mount one. */

const MIB = 1024 * 1024;
let disk: string;
let mounting: string;
let server: ServerProcess | undefined;

beforeAll(() => {
  disk = mkdtempSync(join(tmpdir(), 'embedded-mongo-disk-'));
  const { status, stderr, error } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=110m', 'tmpfs', disk]);
  mounting = status === 0 ? 'done' : String(error?.message ?? stderr).trim();
});
afterAll(async () => {
  await server?.end('SIGKILL');
  if (mounting === 'done') spawnSync('umount', [disk]);
  rmSync(disk, { recursive: true, force: true });
});

const text = 'x'.repeat(10_000);

/** Inserts until it is refused. @returns how many were acknowledged, and the refusal */
async function fill(items: Collection<Document>, from: number): Promise<{ acknowledged: number; refusal: Document }> {
  for (let next = from; ; next++) {
    try {
      await items.insertOne({ _id: next as never, n: next, text });
    } catch (error) {
      return { acknowledged: next, refusal: error as Document };
    }
  }
}

test('refuses writes on a full disk, and serves reads; with space it accepts writes again', async () => {
  if (mounting !== 'done') {
    console.warn(`not run, since no disk could be mounted: ${mounting}`);
    return;
  }
  const folder = join(disk, 'data');
  const ballast = [join(disk, 'first'), join(disk, 'second')] as const;
  writeFileSync(ballast[0], Buffer.alloc(20 * MIB));
  let { client, items } = await start(folder);
  await items.createIndex({ n: 1 }, { unique: true });
  const { acknowledged, refusal } = await fill(items, 0);
  expect(refusal).toMatchObject({ code: 14031, codeName: 'OutOfDiskSpace' });
  expect(acknowledged).toBeGreaterThan(500);

  writeFileSync(ballast[1], Buffer.alloc(40 * MIB));
  for (const write of [
    () => items.insertMany([{ a: 1 }, { a: 2 }]),
    () => items.updateMany({}, { $set: { a: 1 } }),
    () => items.findOneAndUpdate({ n: 1 }, { $set: { a: 1 } }),
    () => items.createIndex({ text: 1 }),
    () => client.db('full').createCollection('other'),
  ]) {
    await expect(write()).rejects.toMatchObject({ code: 14031 });
  }
  await expectWhole(items, acknowledged);

  await client.close();
  expect(await server!.end('SIGKILL')).toBe('SIGKILL');
  ({ client, items } = await start(folder));
  await expectWhole(items, acknowledged);
  await expect(items.insertOne({ n: -1 })).rejects.toMatchObject({ code: 14031 });

  for (const file of ballast) rmSync(file);
  const more = await fillAgain(items, acknowledged);
  await expectWhole(items, more);
  await client.close();
});

async function start(folder: string): Promise<{ client: MongoClient; items: Collection<Document> }> {
  server = await ServerProcess.start(folder);
  const client = await new MongoClient(server.uri).connect();
  return { client, items: client.db('full').collection('items') };
}

async function expectWhole(items: Collection<Document>, count: number): Promise<void> {
  expect(await items.countDocuments({ n: { $gte: 0 } })).toBe(count);
  expect(await items.countDocuments({ text }, { hint: { $natural: 1 } })).toBe(count);
  expect(await items.estimatedDocumentCount()).toBe(count);
  expect(await items.findOne({ n: count - 1 })).toMatchObject({ _id: count - 1 });
}

/** Free space is checked several times a second, so the first writes after it was freed may still be refused. */
async function fillAgain(items: Collection<Document>, from: number): Promise<number> {
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline) {
    const { acknowledged, refusal } = await fill(items, from);
    expect(refusal.code).toBe(14031);
    if (acknowledged > from) return acknowledged;
  }
  throw new Error('writes stayed refused');
}
