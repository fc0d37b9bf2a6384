import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readPidFile } from '@moothall/processes';
import { type Db, MongoClient } from 'mongodb';
import { below as allBelow } from '../server/below';
import { OwnServer } from '../server/own-server';
import { until as eventually } from '../server/until';
import { type ArchiveFiles, groupTree, label, packed, partsOf, unpacked } from './group-archive';

/*
 * A group is imported and exported, and every process is killed at different states: services, gateway, database,
 * queues and messages. The state is read from the database and the disk. After the next start it is complete or was
 * never there.
 */

const work = mkdtempSync(path.join(tmpdir(), 'moothall-import-kills-'));
const temporary = path.join(work, 'tmp');
const server = new OwnServer({ TMPDIR: temporary });
const below = 40;
let mongo: MongoClient;
let projects: Db;
let collaboration: Db;
let files: ArchiveFiles;
let archive: Buffer;

beforeAll(async () => {
  mkdirSync(temporary);
  await begin();
  files = groupTree(below, 30);
  // Slow to store, read and compress: random bytes.
  const long = () => randomBytes(150_000).toString('base64');
  files
    .get('tree/groups/1/labels.ndjson')!
    .push(...Array.from({ length: 100 }, (_, at) => label(`long ${at}`, { description: long() })));
  archive = await packed(partsOf(files));
}, 120_000);
afterAll(async () => {
  await mongo?.close();
  await server.stop();
  rmSync(work, { recursive: true, force: true });
});

async function begin(): Promise<void> {
  await server.start();
  mongo = await MongoClient.connect(server.mongodbUri);
  projects = mongo.db('moothall_projects');
  collaboration = mongo.db('moothall_collaboration');
}

/** With a long timeout for restarts, and a short interval, so that no state is missed. */
const until = <T>(what: string, probe: () => Promise<T> | T, patienceMs = 90_000) =>
  eventually(what, probe, patienceMs, 2);

const kill = () => Promise.all([server.kill(), mongo.close().catch(() => undefined)]);

async function killAndBegin(): Promise<void> {
  await kill();
  await begin();
}

/** Files of exports and imports; without the marker by which replicas recognise a shared folder. */
const objects = (): string[] =>
  allBelow(path.join(server.dataFolder, 'objects', 'projects'))
    .filter((name) => statSync(name, { throwIfNoEntry: false })?.isFile())
    .filter((file) => !file.endsWith('instance/marker'));
const drafts = () => objects().filter((file) => file.includes('.drafts'));
const archives = () => objects().filter((file) => file.endsWith('.tar.gz'));

let copies = 0;
/** Starts an import; the server may be killed before it answers. @returns the path of the new group */
function startImport(bytes: Buffer): { path: string; answered: Promise<unknown> } {
  const name = `copy${++copies}`;
  const body = new FormData();
  body.set('name', name);
  body.set('path', name);
  body.set('file', new Blob([new Uint8Array(bytes)]), 'file.tar.gz');
  const answered = fetch(`${server.url}/api/v4/groups/import`, {
    method: 'POST',
    headers: { 'private-token': server.token },
    body,
  });
  return { path: name, answered: answered.catch(() => undefined) };
}

const latestImport = () => projects.collection('group_imports').findOne({}, { sort: { _id: -1 } });
const groupsOf = (importId: unknown) =>
  projects.collection('namespaces').countDocuments({ 'importedAs.importId': importId as number });

/** Whether a running process owns a temporary folder that contains only its marker. */
const isEmptyOfLiving = (name: string): boolean => {
  const folder = path.join(temporary, name);
  return readPidFile(path.join(folder, 'owner.pid')) !== undefined && allBelow(folder).length === 1;
};

/** All records and files of imports that no longer exist, or should never have existed. */
async function leftovers(path: string) {
  const groups = await projects
    .collection<{ _id: number; fullPath: string }>('namespaces')
    .find({ kind: 'group' })
    .toArray();
  const ids = groups.map(({ _id }) => _id);
  const keys = ids.map((id) => `group:${id}`);
  const owners = ids.map((id) => `group/${id}`);
  const ofMissing = { owner: { $regex: '^group/', $nin: owners } };
  return {
    groups: groups.filter(({ fullPath }) => fullPath.startsWith(path)).length,
    paths: await projects.collection('routes').countDocuments({ _id: { $regex: `^${path}` } as never }),
    members: await projects.collection('members').countDocuments({ source: { $regex: '^group:', $nin: keys } }),
    badges: await projects.collection('badges').countDocuments({ source: { $regex: '^group:', $nin: keys } }),
    labels: await collaboration.collection('labels').countDocuments(ofMissing),
    milestones: await collaboration.collection('milestones').countDocuments(ofMissing),
    boards: await collaboration.collection('boards').countDocuments(ofMissing),
    files: objects().filter((file) => /group-imports|\.drafts/.test(file)).length,
    folders: readdirSync(temporary).filter((name) => name.startsWith('moothall-') && !isEmptyOfLiving(name)).length,
  };
}
const none = { groups: 0, paths: 0, members: 0, badges: 0, labels: 0, milestones: 0, boards: 0, files: 0, folders: 0 };

const untilNothingIsLeft = async (path: string): Promise<void> => {
  await until('the end of the import', async () => (await latestImport())?.status === 'failed');
  const isClean = async () => JSON.stringify(await leftovers(path)) === JSON.stringify(none);
  // An event whose consumer was killed is redelivered after 15 s.
  await until('the end of its traces', isClean, 120_000).catch(() => undefined);
  expect(await leftovers(path)).toEqual(none);
};

async function exported(path: string): Promise<ArchiveFiles> {
  const response = await fetch(`${server.url}/api/v4/groups/${path}/export/download`, {
    headers: { 'private-token': server.token },
  });
  expect(response.status).toBe(200);
  return unpacked(Buffer.from(await response.arrayBuffer()));
}

const untilExported = (path: string) =>
  until('the end of the export', async () => {
    const { export_status } = (await server.api('GET', `/groups/${path}/export`)) as { export_status: string };
    return export_status === 'finished';
  });

/** Everything except the name, path and order, which differ in a copy. */
const comparable = (found: ArchiveFiles) => {
  const byPath = new Map<number, string>();
  for (const [name, [group]] of found) {
    const { number, path } = (group ?? {}) as { number: number; path: string };
    if (/^tree\/groups\/\d+\.json$/.test(name)) byPath.set(number, number === 1 ? 'top' : path);
  }
  const rows = [...found].flatMap(([name, content]) => {
    const number = Number(/^tree\/groups\/(\d+)\/\w+\.ndjson$/.exec(name)?.[1] ?? 0);
    return number === 0 ? [] : [[name.replace(String(number), byPath.get(number)!), content] as const];
  });
  return Object.fromEntries(rows);
};

describe('an import is never there when the server is killed', () => {
  it('while the archive is stored', async () => {
    const { path } = startImport(archive);
    // A draft exists only until it is on disk.
    await until('a draft of the archive, or the archive', () => drafts().length > 0 || archives().length > 0);
    await killAndBegin();
    await untilNothingIsLeft(path);
  }, 300_000);

  it('while the archive is verified', async () => {
    const { path } = startImport(archive);
    await until('the archive', () => archives().length > 0);
    expect(await latestImport()).toMatchObject({ status: 'preparing', groupId: null });
    await killAndBegin();
    await untilNothingIsLeft(path);
  }, 300_000);

  it('while it is undone', async () => {
    const bad = new Map(files);
    bad.set(`tree/groups/${below / 4}/labels.ndjson`, [label('bad', { color: 'no color' })]);
    const { path } = startImport(await packed(partsOf(bad)));
    const failing = await until('the failure', async () => {
      const found = await latestImport();
      return found?.error && found.groupId !== null && found;
    });
    expect(await groupsOf(failing._id)).toBeGreaterThan(0);
    await killAndBegin();
    await untilNothingIsLeft(path);
    expect((await latestImport())?.error).toMatch(/color/);
  }, 300_000);
});

describe('a killed job resumes', () => {
  let copy: string;

  it('and an import is complete, though it was killed while groups were created and while they were filled', async () => {
    const { path, answered } = startImport(archive);
    await answered;
    const { _id } = (await latestImport())!;
    // Checked before the kill: one of several processes resumes the job before all of them are ready.
    await until('some groups', async () => (await groupsOf(_id)) > 5);
    expect(await latestImport()).toMatchObject({ _id, status: 'started' });
    await killAndBegin();
    await until('more groups', async () => (await groupsOf(_id)) > 25);
    expect(await latestImport()).toMatchObject({ _id, status: 'started' });
    await killAndBegin();
    await until('the end of the import', async () => (await latestImport())?.status === 'finished');
    expect(await groupsOf(_id)).toBe(below + 1);
    const besides = async () => ({ ...(await leftovers(path)), groups: 0, paths: 0 });
    // It is marked as finished before its work folder is removed.
    await until('its folder to go', async () => (await besides()).folders === 0).catch(() => undefined);
    expect(await besides()).toEqual(none);
    copy = path;
  }, 300_000);

  it('and an export is complete, though it was killed while it collected and while it packed', async () => {
    await server.api('POST', `/groups/${copy}/export`);
    const latest = () => projects.collection('group_exports').findOne({}, { sort: { _id: -1 } });
    await until('some groups', async () => (await latest())?.groupsDone > 3);
    expect(await latest()).toMatchObject({ status: 'started' });
    await kill();
    // Killed even before all of its processes are ready.
    const beginning = begin().catch(() => undefined);
    await until('a draft of the archive', () => drafts().length > 0);
    await kill();
    await beginning;
    await begin();
    await untilExported(copy);
    expect(comparable(await exported(copy))).toEqual(comparable(files));
    expect(objects().map((file) => path.basename(file))).toEqual([`${(await latest())!._id}.tar.gz`]);
    // It is marked as finished before its work folder is removed.
    const folders = () => readdirSync(temporary).filter((name) => name.includes('export'));
    await until('its folder to go', () => folders().length === 0).catch(() => undefined);
    expect(folders()).toEqual([]);
  }, 300_000);
});
