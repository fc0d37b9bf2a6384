import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  countRepositories,
  type EventData,
  isError,
  listChecksums,
  locateReplica,
  type ParsedOf,
  type ProjectRef,
  projectDeleted,
  removeReplica,
  replicaErrors,
  replicaSynced,
  replicaVerified,
  syncReplica,
  verifyReplica,
} from '@moothall/contracts';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { GitOutbound } from '../src/outbound/git-outbound';
import { Repositories } from '../src/record/repository.repository';
import { Storages } from '../src/storage/storages';
import { git, gitText } from './git/build-repository';
import { PrimarySite } from './primary-site';
import { type RepositoryUnderTest, startRepositoryService } from './repository-under-test';

const primary = shareBetweenTests(() => PrimarySite.start());
const under = shareBetweenTests(() =>
  startRepositoryService({ GEO_ROLE: 'secondary', GEO_PRIMARY_URL: primary.url, REPLICA_TIMEOUT: '120' }),
);

type Kind = 'code' | 'wiki';
type Synced = EventData<typeof replicaSynced>;

let lastId = 900_000;
/** A project of the primary, and its copy on this site. */
function newProject(kind: Kind = 'code') {
  const project_id = ++lastId;
  const name = `p${project_id}`;
  const key = { project_id, kind };
  primary.make(name);
  const storage = 'default';
  const of = <T extends { project_id: number; kind: Kind }>(events: { data: T }[]) =>
    events.map(({ data }) => data).filter((data) => data.project_id === project_id && data.kind === kind);
  const project = {
    name,
    key,
    get folder(): string {
      return under.running.app.get(Storages, { strict: false }).locate({ id: project_id, storage }, kind).path;
    },
    results: () => of(under.events(replicaSynced)) as Synced[],
    wish: (over: Partial<ParsedOf<typeof syncReplica>> = {}) =>
      under.client.call(syncReplica, { ...key, source_url: primary.urlOf(name), storage, ...over }),
    /** @returns the result */
    async sync(over: Partial<ParsedOf<typeof syncReplica>> = {}): Promise<Synced> {
      const before = project.results().length;
      await project.wish(over);
      await eventually(() => project.results().length > before, 'the end of the sync');
      return project.results().at(-1)!;
    },
    async verify() {
      const results = () => of(under.events(replicaVerified));
      const before = results().length;
      await under.client.call(verifyReplica, key);
      await eventually(() => results().length > before, 'the end of the verification');
      return results().at(-1)!;
    },
    async remove() {
      await under.client.call(removeReplica, key);
      await eventually(() => !existsSync(project.folder), 'the removal');
    },
    expectAlike: () => expect(primary.refs(project.folder)).toEqual(primary.refs(primary.repository(name))),
  };
  return project;
}

const record = (id: number) => under.running.app.get(Repositories, { strict: false }).find(id);

it('copies all refs and HEAD, and follows how they change', async () => {
  const { name, sync, expectAlike } = newProject();
  const source = primary.repository(name);
  const first = gitText(source, ['rev-parse', 'main']);
  git(source, ['tag', '-a', 'v1', '-m', 'one', first]);
  git(source, ['update-ref', 'refs/merge-requests/1/head', first]);
  git(source, ['update-ref', 'refs/merge-sources/7', first]);
  primary.commit(name, 'a', 'on a');
  const made = await sync();
  expect(made).toMatchObject({ outcome: 'synced', error: null, made_anew: true });
  expectAlike();

  git(source, ['branch', '-D', 'a']);
  primary.commit(name, 'a/b', 'where a was');
  git(source, ['update-ref', 'refs/heads/main', gitText(source, ['rev-parse', 'a/b'])]);
  git(source, ['tag', '-d', 'v1']);
  git(source, ['symbolic-ref', 'HEAD', 'refs/heads/a/b']);
  const changed = await sync();
  expect(changed).toMatchObject({ outcome: 'synced', made_anew: false, checksum: expect.stringMatching(/^\w{64}$/) });
  expect(changed.checksum).not.toBe(made.checksum);
  expectAlike();
  expect((await sync()).checksum).toBe(changed.checksum);
});

it('reports the checksums of its source', async () => {
  const { sync, key } = newProject();
  const { checksum } = await sync();
  const asked = { project_ids: [key.project_id, 1], kind: key.kind };
  const project = { id: key.project_id, storage: 'default' } as ProjectRef;
  expect(await under.client.call(listChecksums, asked, { project })).toEqual([
    { project_id: key.project_id, checksum },
    { project_id: 1, checksum: null },
  ]);
  expect(checksum).toMatch(/^\w{64}$/);
  expect(await under.client.call(countRepositories, {})).toMatchObject({ repositories_checksummed: 1 });
});

it('copies an empty repository, and fills it later', async () => {
  const { name, sync, expectAlike } = newProject();
  git(primary.repository(name), ['update-ref', '-d', 'refs/heads/main']);
  expect(await sync()).toMatchObject({ outcome: 'synced', made_anew: true });
  primary.commit(name, 'main', 'first');
  expect(await sync()).toMatchObject({ outcome: 'synced', made_anew: false });
  expectAlike();
});

it('does not treat an HTML page as a repository, and accepts an empty repository', async () => {
  const { name, sync, expectAlike } = newProject();
  await sync();
  for (const page of ['<html>\nWelcome\n</html>\n', '<html>Welcome</html>', '']) {
    primary.meddlers.set(name, (_, response) => response.end(page));
    expect(await sync()).toMatchObject({ outcome: 'failed', error: expect.any(String) });
    expectAlike();
  }
});

it('replicates the wiki of a project beside its code', async () => {
  const { key, name, sync, expectAlike, remove } = newProject('wiki');
  expect(await sync()).toMatchObject({ outcome: 'synced' });
  expectAlike();
  const code = { ...key, kind: 'code' as const };
  await under.client.call(syncReplica, { ...code, source_url: primary.urlOf(name), storage: 'second' });
  const synced = () =>
    under.events(replicaSynced).some(({ data: { project_id, kind } }) => {
      return project_id === key.project_id && kind === 'code';
    });
  await eventually(synced, 'the code');
  // On the same storage as the wiki.
  expect(await record(key.project_id)).toMatchObject({ storage: 'default', isReplica: true });
  await remove();
  expect(await record(key.project_id)).not.toBeNull();
  await under.client.call(removeReplica, code);
  await eventually(async () => (await record(key.project_id)) === null, 'the end of the record');
});

it('reports the refusal of a source, without secrets, and does not change the replica', async () => {
  const { name, sync, expectAlike } = newProject();
  await sync();
  const wrong = await sync({ source_url: primary.urlOf(name, 'follower:hunter22') });
  expect(wrong).toMatchObject({ outcome: 'failed', error: 'the primary refuses the credentials' });
  const nothing = await sync({ source_url: primary.urlOf('nothing') });
  expect(nothing).toMatchObject({ outcome: 'missing_at_source', error: expect.stringContaining('no such repository') });
  expect(JSON.stringify(under.events(replicaSynced))).not.toMatch(/hunter22|pass-word/);
  expectAlike();
});

it('connects only to the primary', async () => {
  const { name, sync, wish } = newProject();
  const elsewhere = await PrimarySite.start();
  let asked = 0;
  elsewhere.meddlers.set(name, () => ++asked);
  primary.meddlers.set(name, (request, response) => {
    response.writeHead(302, { location: `${elsewhere.url}${request.url}` }).end();
  });
  expect(await sync()).toMatchObject({ outcome: 'failed' });
  expect(asked).toBe(0);
  for (const source_url of [elsewhere.urlOf(name), `ssh://git@127.0.0.1/group/${name}.git`, '/etc']) {
    const refused = wish({ source_url }).catch((error: unknown) => isError(error, replicaErrors.sourceNotPrimary));
    expect(await refused).toBe(true);
  }
  // No other client reaches it.
  const outbound = under.running.app.get(GitOutbound, { strict: false });
  expect(await outbound.isPermitted(new URL(primary.url))).toBe(false);
  await elsewhere.stop();
});

it('updates a replica by one process at a time, and once more for requests that arrive meanwhile', async () => {
  const { name, results, wish, expectAlike } = newProject();
  let goOn = (): void => undefined;
  const held = new Promise<boolean>((resolve) => {
    goOn = () => resolve(true);
  });
  let asked = 0;
  primary.meddlers.set(name, () => {
    asked++;
    return held;
  });
  await wish();
  await eventually(() => asked === 1, 'the first look at the source');
  await Promise.all([wish(), wish(), wish()]);
  expect(asked).toBe(1);
  primary.commit(name, 'main', 'meanwhile');
  goOn();
  await eventually(() => results().length === 2, 'both runs');
  expectAlike();
});

/** Object files, packs first. */
const objectsOf = (folder: string) =>
  readdirSync(path.join(folder, 'objects'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.idx') && !entry.name.endsWith('.rev'))
    .map((entry) => path.join(entry.parentPath, entry.name));

it('detects damage, and creates the replica again', async () => {
  const project = newProject();
  await project.sync();
  expect(await project.verify()).toMatchObject({ outcome: 'intact', error: null });
  for (const file of objectsOf(project.folder)) {
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1]! ^= 0xff;
    rmSync(file);
    writeFileSync(file, bytes);
  }
  expect(await project.verify()).toMatchObject({ outcome: 'damaged', error: expect.any(String) });
  expect(await project.sync()).toMatchObject({ outcome: 'synced', made_anew: true });
  expect(await project.verify()).toMatchObject({ outcome: 'intact' });
  project.expectAlike();
});

it.each<[string, (folder: string) => void]>([
  ['a broken ref', (folder) => writeFileSync(path.join(folder, 'refs/heads/main'), 'not an id\n')],
  ['a broken HEAD', (folder) => writeFileSync(path.join(folder, 'HEAD'), '')],
  ['no HEAD', (folder) => rmSync(path.join(folder, 'HEAD'))],
  ['no objects', (folder) => rmSync(path.join(folder, 'objects'), { recursive: true })],
])('heals %s by the next sync', async (_, damage) => {
  const { name, sync, folder, expectAlike } = newProject();
  await sync();
  damage(folder);
  primary.commit(name, 'main', 'second');
  expect(await sync()).toMatchObject({ outcome: 'synced', error: null });
  expectAlike();
  git(folder, ['fsck', '--full']);
});

it('never touches a repository that is no replica', async () => {
  const { project, commit } = await under.newProject();
  const key = { project_id: project.id, kind: 'code' as const };
  const source_url = primary.urlOf('x');
  const refused = under.client.call(syncReplica, { ...key, source_url });
  await expect(refused).rejects.toMatchObject({ value: { code: 'replica.is_original' } });
  await expect(under.client.call(verifyReplica, key)).rejects.toMatchObject({ value: { code: 'replica.not_found' } });
  await under.client.call(removeReplica, key);
  expect(await commit('main', 'a.txt', 'still there')).toMatch(/^\w{40}$/);
});

it('is no place for a project of this site', async () => {
  const { key, sync, expectAlike } = newProject();
  await sync();
  const made = under.newProject({ id: key.project_id });
  await expect(made).rejects.toMatchObject({ value: { code: 'replica.is_replica' } });
  // As the projects service does after a failed creation.
  await under.emit(projectDeleted, { project_id: key.project_id, full_path: 'group/app', storage: 'default' });
  const { project } = await under.newProject();
  await under.emit(projectDeleted, { project_id: project.id, full_path: 'group/app', storage: 'default' });
  await eventually(async () => (await record(project.id)) === null, 'the deletion of another');
  expectAlike();
});

it('is for storages that there are', async () => {
  const { wish } = newProject();
  await expect(wish({ storage: 'third' })).rejects.toMatchObject({ value: { code: 'replica.storage_unknown' } });
});

it('is refused on a primary', async () => {
  const site: RepositoryUnderTest = await startRepositoryService();
  const key = { project_id: 1, kind: 'code' as const };
  const asked = [
    site.client.call(syncReplica, { ...key, source_url: primary.urlOf('x') }),
    site.client.call(verifyReplica, key),
    site.client.call(removeReplica, key),
  ];
  for (const answer of await Promise.allSettled(asked))
    expect(answer).toMatchObject({ reason: { value: { code: 'replica.not_of_secondary' } } });
  await site.stop();
});

it('is served when it is complete, and not while it is damaged or being deleted', async () => {
  const project = newProject();
  const storage = async () => (await under.client.call(locateReplica, project.key)).storage;
  expect(await storage()).toBeNull();
  primary.meddlers.set(project.name, (_request, response) => response.writeHead(500).end());
  await project.sync();
  expect(await storage()).toBeNull();
  primary.meddlers.delete(project.name);
  await project.sync();
  expect(await storage()).toBe('default');
  const [pack] = readdirSync(path.join(project.folder, 'objects'), { recursive: true })
    .map(String)
    .filter((file) => /\.pack$|^[0-9a-f]{2}\/[0-9a-f]{38}$/.test(file));
  rmSync(path.join(project.folder, 'objects', pack!));
  expect(await project.verify()).toMatchObject({ outcome: 'damaged' });
  expect(await storage()).toBeNull();
  await project.sync();
  expect(await storage()).toBe('default');
  await project.remove();
  expect(await storage()).toBeNull();
});
