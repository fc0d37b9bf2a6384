import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Placement, type RunningMongodb, startEmbeddedMongo, startMongod } from '@moothall/infrastructure';
import { findProgram, removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import { mongo } from 'mongoose';
import { endLeftovers } from '../../src/data-folder/end-leftovers';
import { lockDataFolder } from '../../src/data-folder/lock-data-folder';
import { until } from '../server-under-test';
import { fill, snapshot, thingCount } from './sample';

jest.setTimeout(240_000);

const main = path.resolve(__dirname, '../../dist/move/main.js');
const inRecord = { db: 'moothall_move', collection: 'moves' };

describe('npm run move-database', () => {
  let work: string;
  let dataFolder: string;
  let before: Record<string, unknown>;
  let target: RunningMongodb;
  let client: mongo.MongoClient;
  let targets = 0;

  const place = (name: string): Placement => {
    const root = path.join(work, name);
    const runFolder = path.join(root, 'run');
    mkdirSync(runFolder, { recursive: true, mode: 0o700 });
    return { dataFolder: root, logFolder: root, runFolder };
  };
  /** A data folder with a stopped server, and the content of its database. */
  async function makeSource(name: string, make = fill): Promise<Record<string, unknown>> {
    const { program, uri } = await startEmbeddedMongo(place(name), { keepsExpired: true });
    const source = new mongo.MongoClient(uri);
    await make(source);
    await source.close();
    const found = await snapshot(uri);
    await program.stop();
    return found;
  }
  beforeAll(async () => {
    work = temporaryFolder('move');
    dataFolder = path.join(work, 'data');
    before = await makeSource('data');
  });
  afterAll(async () => {
    await endLeftovers(path.join(dataFolder, 'run'));
    await removeTemporaryFolder(work);
  });
  // No expiry during the comparison either.
  beforeEach(async () => {
    target = await startEmbeddedMongo(place(`target-${targets++}`), { keepsExpired: true });
    client = new mongo.MongoClient(target.uri);
  });
  afterEach(async () => {
    await client.close();
    // Commands that a fail point holds are not awaited.
    await target.program.stop(0);
  });

  interface Run {
    child: ChildProcess;
    output: { stdout: string; stderr: string };
    ended: Promise<unknown>;
  }
  function begin(args: string[] = [target.uri], env: Record<string, string> = {}): Run {
    const { MONGODB_URI: _, ...own } = process.env;
    const child = spawn(process.execPath, [main, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...own, MOOTHALL_DATA_DIR: dataFolder, ...env },
    });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name]!.on('data', (chunk) => {
        output[name] += chunk;
      });
    return { child, output, ended: once(child, 'close') };
  }
  async function run(...of: Parameters<typeof begin>) {
    const { child, output, ended } = begin(...of);
    await ended;
    return { code: child.exitCode, ...output };
  }
  /** @returns the message of the refusal */
  async function refusal(...of: Parameters<typeof begin>): Promise<string> {
    const { code, stderr } = await run(...of);
    expect([code, stderr.trim().split('\n').length]).toEqual([1, 1]);
    return stderr;
  }

  const failPoint = (command: mongo.Document) =>
    client.db('admin').command({ configureFailPoint: 'failCommand', ...command });
  /** Blocks the answer to one of its commands. */
  const hold = (command: string, namespace: string, skip = 0) =>
    failPoint({
      mode: { skip, times: 1 },
      data: {
        failCommands: [command],
        namespace,
        appName: 'moothall-move',
        blockConnection: true,
        blockTimeMS: 600_000,
      },
    });
  const things = () => client.db('moothall_one').collection('things');
  const record = () => client.db(inRecord.db).collection(inRecord.collection).findOne({});
  const expiringIndexes = async () =>
    (await client.db('moothall_one').listCollections({ name: 'expiring' }).toArray()).length === 0
      ? 0
      : (await client.db('moothall_one').collection('expiring').listIndexes().toArray()).length;

  it('copies everything unchanged, reports it, and does it once', async () => {
    const { code, stdout, stderr } = await run();
    expect([code, stderr]).toEqual([0, '']);
    expect(await snapshot(target.uri)).toEqual(before);
    expect(stdout).toMatch(/^moothall_one\.things: 2500 documents, 5 indexes, checksum [0-9a-f]{16}$/m);
    expect(stdout).toMatch(
      /^All 5 collections are there as they are here: 2510 documents, 5\.\d MB, 6 indexes; \d+ s\.$/m,
    );
    expect(stdout).toMatch(/^From now on start the server with that address as MONGODB_URI: mongodb:\/\//m);
    // The server uses the target from now on, and by mistake somebody moves again.
    await things().deleteOne({ number: 1 });
    const after = await snapshot(target.uri);
    expect((await run([], { MONGODB_URI: target.uri })).code).toBe(0);
    expect(await snapshot(target.uri)).toEqual(after);
  });

  it.each([
    [
      'in the middle of a collection',
      () => hold('insert', 'moothall_one.things', 1),
      async () => (await things().countDocuments()) === 1000,
    ],
    [
      'before its indexes',
      () => hold('createIndexes', 'moothall_one.things'),
      async () => (await things().countDocuments()) === thingCount,
    ],
    [
      'before it notes that all is there',
      () => hold('update', 'moothall_move.moves'),
      (stdout: () => string) => stdout().includes('moothall_two.strict:'),
    ],
    [
      'before the indexes that remove',
      () => hold('createIndexes', 'moothall_one.expiring'),
      async () => (await record())?.contents !== undefined,
    ],
    [
      'before it notes the end',
      () => hold('update', 'moothall_move.moves', 1),
      async () => (await expiringIndexes()) === 2,
    ],
  ])('resumes after a kill %s', async (_, prepare, isThere) => {
    await prepare();
    const { child, output, ended } = begin();
    await until(() => isThere(() => output.stdout));
    child.kill('SIGKILL');
    await ended;
    expect(child.signalCode).toBe('SIGKILL');
    await failPoint({ mode: 'off' });
    expect(await run()).toMatchObject({ code: 0, stderr: '' });
    expect(await snapshot(target.uri)).toEqual(before);
  });

  it('stops in order on a signal, and leaves no process', async () => {
    await hold('insert', 'moothall_one.things', 1);
    const { child, output, ended } = begin();
    await until(async () => (await things().countDocuments()) === 1000);
    child.kill('SIGTERM');
    await ended;
    expect([child.exitCode, output.stderr]).toEqual([
      1,
      'Stopped before the end. Run the same command again to continue.\n',
    ]);
    expect(existsSync(path.join(dataFolder, 'run', 'embedded-mongo.pid'))).toBe(false);
  });

  it('refuses a data folder on which a server runs, or that has no embedded database', async () => {
    const unlock = lockDataFolder(path.join(dataFolder, 'run'));
    expect(await refusal()).toBe(
      `Process ${process.pid} already uses the data folder ${dataFolder}. Stop it, or set MOOTHALL_DATA_DIR.\n`,
    );
    unlock();
    expect(await refusal([target.uri], { MOOTHALL_DATA_DIR: path.join(work, 'nothing') })).toMatch(
      /nothing has no embedded database: set MOOTHALL_DATA_DIR/,
    );
    expect(existsSync(path.join(work, 'nothing'))).toBe(false);
    expect(await snapshot(target.uri)).toEqual({});
  });

  it('refuses a MongoDB with other content, and writes nothing there', async () => {
    await client
      .db('shop')
      .collection('orders')
      .insertOne({ _id: 1 as never });
    const orders = await snapshot(target.uri);
    expect(await refusal()).toMatch(/^The MongoDB already has a database shop: use an empty server/);
    expect(await snapshot(target.uri)).toEqual(orders);
    expect(await record()).toBeNull();
  });

  it('refuses data that was moved there from another folder', async () => {
    await makeSource('other', async (source) => {
      await source.db('moothall_one').collection('things').insertOne({ number: -1 });
    });
    expect(await run([target.uri], { MOOTHALL_DATA_DIR: path.join(work, 'other') })).toMatchObject({ code: 0 });
    const other = await snapshot(target.uri);
    expect(await refusal()).toMatch(/^The MongoDB has data of another data folder, .*other: use an empty server/);
    expect(await snapshot(target.uri)).toEqual(other);
  });

  it('overwrites no change of either side, and prints what to do', async () => {
    const root = path.join(work, 'used');
    const use = (number: number) =>
      makeSource('used', async (source) => {
        await source.db('moothall_one').collection('things').updateOne({}, { $set: { number } }, { upsert: true });
      });
    await use(1);
    await failPoint({
      mode: { times: 1 },
      data: { failCommands: ['update'], appName: 'moothall-move', errorCode: 11600 },
    });
    expect(await refusal([target.uri], { MOOTHALL_DATA_DIR: root })).toMatch(
      /^MongoDB failed: .* Run the same command again to continue\.\n$/,
    );
    const half = await snapshot(target.uri);
    const words =
      /things was changed, here or there, since the move began at .*Z\. To move anew, remove these databases from the MongoDB first: moothall_one, moothall_move\.\n$/;
    await use(2);
    expect(await refusal([target.uri], { MOOTHALL_DATA_DIR: root })).toMatch(words);
    expect(await snapshot(target.uri)).toEqual(half);
    await use(1);
    await things().insertOne({ number: 3 });
    expect(await refusal([target.uri], { MOOTHALL_DATA_DIR: root })).toMatch(words);
    await things().deleteOne({ number: 3 });
    expect((await run([target.uri], { MOOTHALL_DATA_DIR: root })).code).toBe(0);
    await use(4);
    expect(await refusal([target.uri], { MOOTHALL_DATA_DIR: root })).toMatch(
      /things was changed in the data folder since/,
    );
    expect(await snapshot(target.uri)).toEqual(half);
  });

  it('prints the error of an address, without its password', async () => {
    const usage = expect.stringMatching(/^npm run move-database -- <mongodb:/);
    expect(await run(['--help'])).toMatchObject({ code: 0, stdout: usage });
    expect(await run([target.uri, 'more'])).toMatchObject({ code: 2, stderr: usage });
    expect(await refusal([`${target.uri}?w=1`])).toMatch(/^MONGODB_URI has w=1, but what is acknowledged must outlive/);
    const away = await refusal(['mongodb://root:hunter2@127.0.0.1:1']);
    expect(away).toMatch(/^MongoDB failed: connect ECONNREFUSED 127\.0\.0\.1:1\. Run/);
    expect(await refusal(['mongodb://root:hunter2@'])).not.toContain('hunter2');
  });

  const withMongod = findProgram('mongod') ? it : it.skip;
  withMongod('moves to a mongod', async () => {
    const { program, uri } = await startMongod(place('mongod'));
    const admin = new mongo.MongoClient(uri);
    await admin.db('admin').command({ setParameter: 1, ttlMonitorEnabled: false });
    await admin.close();
    expect(await run([uri])).toMatchObject({ code: 0, stderr: '' });
    expect(Object.keys(await snapshot(uri)).sort()).toEqual(Object.keys(before).sort());
    await program.stop();
  });

  it('has not changed the copied data', async () => {
    const { program, uri } = await startEmbeddedMongo(place('data'), { keepsExpired: true });
    expect(await snapshot(uri)).toEqual(before);
    await program.stop();
  });
});
