import {
  addChangelog,
  applicationSettingsChanged,
  checkRepository,
  createBranch,
  createCommit,
  createFile,
  createProjectPushRule,
  createRemoteMirror,
  createTag,
  defaultApplicationSettings,
  deleteBranch,
  deleteFile,
  deleteMergedBranches,
  deleteProjectPushRule,
  deleteRemoteMirror,
  deleteTag,
  exportProtections,
  getProjectPushRule,
  getProtectedBranch,
  getRepositoryCheck,
  importProtections,
  importPushRules,
  listBranches,
  listCommits,
  listProjectStorageMoves,
  listProtectedBranches,
  listProtectedTags,
  listRemoteMirrors,
  listTags,
  maintainRepository,
  type Operation,
  type ProjectRef,
  projectRefs,
  protectBranches,
  protectTags,
  readApplicationSettings,
  removeReplica,
  replicaSynced,
  replicaVerified,
  repositoryPushed,
  resolveProject,
  scheduleStorageMove,
  scheduleStorageMoves,
  setProjectStorage,
  syncRemoteMirror,
  syncReplica,
  unprotectBranches,
  unprotectTags,
  updateFile,
  updateProjectPushRule,
  updateProtectedBranch,
  updateRemoteMirror,
  updateSubmodule,
  verifyReplica,
} from '@moothall/contracts';
import {
  callerNamed,
  contextOf,
  eventually,
  itUnderFaults,
  meetFaults,
  shareBetweenTests,
  throughFaults,
} from '@moothall/testing';
import { GitOutbound } from '../src/outbound/git-outbound';
import { Repositories } from '../src/record/repository.repository';
import { Storages } from '../src/storage/storages';
import { git, gitText } from './git/build-repository';
import { PrimarySite } from './primary-site';
import { type ProjectUnderTest, startRepositoryService } from './repository-under-test';

meetFaults();

const primary = shareBetweenTests(() => PrimarySite.start());
const under = shareBetweenTests(() => startRepositoryService({ STORAGE_MOVE_GRACE: '1' }));
/** On a secondary, metadata of repositories come from the primary, and changes of branches must not wait for it. */
const secondary = shareBetweenTests(() =>
  startRepositoryService({ GEO_ROLE: 'secondary', GEO_PRIMARY_URL: primary.url }),
);

// A failure of the database, NATS or Redis must not be answered as success, or leave a part.
it('commits, branches and protections exist once if acknowledged, and not at all if refused', async () => {
  const { context, project, commit } = await under.newProject();
  const { client } = under;
  const commits = await throughFaults(client, createCommit, (turn) => commit('main', `${turn}.txt`, `text ${turn}`));
  const { items } = await client.call(listCommits, { id: 'x', ref_name: 'main', per_page: 100 }, context);
  expect(items.slice(0, -1).map(({ id }) => id)).toEqual(commits.toReversed());
  const tips = () =>
    under.events(repositoryPushed).flatMap(({ data }) => (data.project_id === project.id ? JSON.stringify(data) : []));
  await eventually(() => commits.every((id) => tips().some((text) => text.includes(id))), 'the events');

  const branches = await throughFaults(client, createBranch, (turn) =>
    client.call(createBranch, { id: 'x', branch: `b${turn}`, ref: 'main' }, context),
  );
  const named = async () =>
    (await client.call(listBranches, { id: 'x', per_page: 100 }, context)).items.map(({ name }) => name).sort();
  expect(await named()).toEqual(['main', ...branches.map(({ name }) => name)].sort());
  const gone = await throughFaults(client, deleteBranch, async (turn) => {
    const branch = `c${turn}`;
    await client.call(createBranch, { id: 'x', branch, ref: 'main' }, context);
    await client.call(deleteBranch, { id: 'x', branch }, context);
    return branch;
  });
  expect((await named()).filter((name) => gone.includes(name))).toEqual([]);

  const rules = await throughFaults(client, protectBranches, (turn) =>
    client.call(protectBranches, { id: 'x', name: `release-${turn}/*` }, context),
  );
  const held = async () =>
    (await client.call(listProtectedBranches, { id: 'x', per_page: 100 }, context)).items.map(({ name }) => name);
  expect((await held()).filter((name) => name.startsWith('release')).sort()).toEqual(
    rules.map(({ name }) => name).sort(),
  );
  await throughFaults(client, unprotectBranches, async (turn) => {
    const name = `open-${turn}`;
    await client.call(protectBranches, { id: 'x', name }, context);
    await client.call(unprotectBranches, { id: 'x', name }, context);
    expect(await held()).not.toContain(name);
  });
}, 120_000);

const root = contextOf({ caller: callerNamed('root', { isAdmin: true }) });
/** No server listens there. */
const elsewhere = 'http://127.0.0.1:9/x.git';

async function letMirrorsGoAnywhere(): Promise<void> {
  const allow_local_requests_from_web_hooks_and_services = true;
  under.respond(readApplicationSettings, () => ({
    ...defaultApplicationSettings,
    allow_local_requests_from_web_hooks_and_services,
  }));
  await under.emit(applicationSettingsChanged, { names: ['allow_local_requests_from_web_hooks_and_services'] });
  const outbound = under.running.app.get(GitOutbound, { strict: false });
  await eventually(() => outbound.isPermitted(new URL(elsewhere)), 'the new settings');
}

/** Calls with the id of a project's repository. */
const asking =
  ({ context, project }: ProjectUnderTest) =>
  <T extends object>(operation: Operation, input: object = {}): Promise<T> =>
    under.client.call(
      operation,
      { id: String(project.id), project_id: project.id, ...input } as never,
      context,
    ) as never;

type Ask = ReturnType<typeof asking>;
interface List {
  items: { id: number; name: string; title: string }[];
}

const file = { file_path: 'a.txt', branch: 'main' };
const mirrored = async (ask: Ask, enabled = false) => ({
  mirror_id: (await ask<{ id: number }>(createRemoteMirror, { url: elsewhere, enabled })).id,
});
const written = async (ask: Ask) => (await ask<List>(listCommits, { per_page: 100 })).items.map(({ title }) => title);

/** Replaces the content of main by a submodule. */
function addSubmodule(project: ProjectRef): void {
  const { path } = under.running.app.get(Storages, { strict: false }).locate(project);
  const input = `160000 commit ${'1'.repeat(40)}\tpart\n`;
  const tree = git(path, ['mktree'], { input }).toString().trim();
  git(path, ['update-ref', 'refs/heads/main', gitText(path, ['commit-tree', tree, '-p', 'main', '-m', 'part'])]);
}

/** An operation, and a call of it in a new project with assertions that must hold from then on. */
const rows: [Operation, (ask: Ask, made: ProjectUnderTest) => Promise<void>][] = [
  [
    createFile,
    async (ask) => {
      await ask(createFile, { ...file, content: 'a', commit_message: 'add' });
      expect((await written(ask)).slice(0, -1)).toEqual(['add']);
    },
  ],
  [
    updateFile,
    async (ask) => {
      await ask(createFile, { ...file, content: 'a', commit_message: 'add' });
      await ask(updateFile, { ...file, content: 'b', commit_message: 'change' });
      expect((await written(ask))[0]).toBe('change');
    },
  ],
  [
    deleteFile,
    async (ask) => {
      await ask(createFile, { ...file, content: 'a', commit_message: 'add' });
      await ask(deleteFile, { ...file, commit_message: 'remove' });
      expect((await written(ask)).slice(0, -1)).toEqual(['remove', 'add']);
    },
  ],
  [
    addChangelog,
    async (ask) => {
      await ask(addChangelog, { version: '1.0.0', from: 'main' });
      expect((await written(ask)).slice(0, -1)).toEqual(['Add changelog for version 1.0.0']);
    },
  ],
  [
    updateSubmodule,
    async (ask, { project }) => {
      addSubmodule(project);
      await ask(updateSubmodule, { submodule: 'part', branch: 'main', commit_sha: '2'.repeat(40) });
      expect((await written(ask)).slice(0, 2)).toEqual([expect.stringContaining('part'), 'part']);
    },
  ],
  [
    deleteTag,
    async (ask) => {
      await ask(createTag, { tag_name: 'v1', ref: 'main' });
      await ask(deleteTag, { tag_name: 'v1' });
      expect((await ask<List>(listTags)).items).toEqual([]);
    },
  ],
  [
    deleteMergedBranches,
    async (ask) => {
      await ask(createBranch, { branch: 'merged', ref: 'main' });
      await ask(deleteMergedBranches);
      expect((await ask<List>(listBranches)).items).toMatchObject([{ name: 'main' }]);
    },
  ],
  [
    unprotectTags,
    async (ask) => {
      await ask(protectTags, { name: 'v*' });
      await ask(unprotectTags, { name: 'v*' });
      expect((await ask<List>(listProtectedTags)).items).toEqual([]);
    },
  ],
  [
    updateProtectedBranch,
    async (ask) => {
      await ask(protectBranches, { name: 'stable' });
      await ask(updateProtectedBranch, { name: 'stable', allow_force_push: true });
      expect(await ask(getProtectedBranch, { name: 'stable' })).toMatchObject({ allow_force_push: true });
    },
  ],
  [
    createProjectPushRule,
    async (ask) => {
      await ask(createProjectPushRule, { member_check: true });
      expect(await ask(getProjectPushRule)).toMatchObject({ member_check: true });
    },
  ],
  [
    importPushRules,
    async (ask) => {
      await ask(importPushRules, { max_file_size: 5 });
      expect(await ask(getProjectPushRule)).toMatchObject({ max_file_size: 5 });
    },
  ],
  [
    importProtections,
    async (ask) => {
      const open = { kind: 'tag', push_levels: [40], merge_levels: [], unprotect_levels: [] };
      const protections = [{ ...open, name: 'v*', allows_force_push: false, needs_code_owner: false }];
      await ask(importProtections, { protections });
      expect(await ask(exportProtections)).toEqual(protections);
    },
  ],
  [
    updateProjectPushRule,
    async (ask) => {
      await ask(createProjectPushRule, { member_check: true });
      await ask(updateProjectPushRule, { max_file_size: 5 });
      expect(await ask(getProjectPushRule)).toMatchObject({ member_check: true, max_file_size: 5 });
    },
  ],
  [
    deleteProjectPushRule,
    async (ask) => {
      await ask(createProjectPushRule);
      await ask(deleteProjectPushRule);
      expect(await ask(getProjectPushRule)).toBeNull();
    },
  ],
  [
    createRemoteMirror,
    async (ask) => {
      const { mirror_id } = await mirrored(ask, true);
      expect((await ask<List>(listRemoteMirrors)).items).toMatchObject([{ id: mirror_id, enabled: true }]);
    },
  ],
  [
    updateRemoteMirror,
    async (ask) => {
      const mirror = await mirrored(ask);
      await ask(updateRemoteMirror, { ...mirror, enabled: true });
      const { items } = await ask<List>(listRemoteMirrors);
      expect(items).toMatchObject([{ enabled: true, update_status: expect.not.stringMatching('none') }]);
    },
  ],
  [
    deleteRemoteMirror,
    async (ask) => {
      await ask(deleteRemoteMirror, await mirrored(ask));
      expect((await ask<List>(listRemoteMirrors)).items).toEqual([]);
    },
  ],
  [
    syncRemoteMirror,
    async (ask) => {
      const mirror = await mirrored(ask, true);
      await ask(syncRemoteMirror, mirror);
      const { items } = await ask<List>(listRemoteMirrors);
      expect(items).toMatchObject([{ update_status: expect.not.stringMatching('none') }]);
    },
  ],
  [
    checkRepository,
    async (_, { project }) => {
      under.respond(resolveProject, () => ({ project, redirected: false }));
      const id = String(project.id);
      await under.client.call(checkRepository, { id }, root);
      const report = () => under.client.call(getRepositoryCheck, { id }, root);
      await eventually(async () => (await report()).checked_at !== null, 'the check');
    },
  ],
  [
    maintainRepository,
    async (ask, { project }) => {
      await ask(maintainRepository);
      const records = under.running.app.get(Repositories, { strict: false });
      await eventually(async () => Boolean((await records.find(project.id))?.maintainedAt), 'the maintenance');
    },
  ],
  [syncReplica, async () => (await newReplica()).publishes(replicaSynced, 'synced').then(() => undefined)],
  [
    verifyReplica,
    async () => {
      const { key, publishes } = await newReplica();
      await publishes(replicaSynced, 'synced');
      await secondary.client.call(verifyReplica, key);
      await publishes(replicaVerified, 'intact');
    },
  ],
  [
    removeReplica,
    async () => {
      const { key, publishes } = await newReplica();
      await publishes(replicaSynced, 'synced');
      await secondary.client.call(removeReplica, key);
      const records = secondary.running.app.get(Repositories, { strict: false });
      await eventually(async () => (await records.find(key.project_id)) === null, 'the removal');
    },
  ],
  [scheduleStorageMove, (_, made) => moved(made, (id) => under.client.call(scheduleStorageMove, { id }, root))],
  [
    scheduleStorageMoves,
    (_, made) => moved(made, () => under.client.call(scheduleStorageMoves, { source_storage_name: 'default' }, root)),
  ],
];

let replicas = 900_000;
/** A requested replica. */
async function newReplica() {
  const key = { project_id: ++replicas, kind: 'wiki' as const };
  primary.make(`p${key.project_id}`);
  await secondary.client.call(syncReplica, { ...key, source_url: primary.urlOf(`p${key.project_id}`) });
  const publishes = (event: typeof replicaSynced | typeof replicaVerified, outcome: string) =>
    eventually(
      () => secondary.events(event).some(({ data }) => data.project_id === key.project_id && data.outcome === outcome),
      outcome,
    );
  return { key, publishes };
}

/** @param schedule starts its move; of the move of all projects only the result is known */
async function moved({ project }: ProjectUnderTest, schedule: (id: string) => Promise<unknown>): Promise<void> {
  let place: ProjectRef = project;
  under.respond(resolveProject, () => ({ project: place, redirected: false }));
  under.respond(projectRefs, ({ ids }) => (ids.includes(place.id) ? [place] : []));
  under.respond(setProjectStorage, ({ storage, is_read_only }) => {
    place = { ...place, storage, isReadOnly: is_read_only };
    return { storage, is_read_only };
  });
  const id = String(project.id);
  await schedule(id);
  const moves = async () => (await under.client.call(listProjectStorageMoves, { id }, root)).items;
  const isOver = async () => (await moves()).every(({ state }) => state === 'finished');
  // The periodic job runs once a minute.
  await eventually(isOver, 'the end of the move', 100_000);
  expect(await moves()).toHaveLength(1);
  expect(place).toMatchObject({ storage: 'second', isReadOnly: false });
}

itUnderFaults.each(rows.map(([operation, act]) => [operation.name, operation, act] as const))(
  '%s takes effect once if acknowledged',
  async (_name, operation, act) => {
    await letMirrorsGoAnywhere();
    await throughFaults(under.client, operation, async () => {
      const made = await under.newProject();
      await act(asking(made), made);
    });
  },
  300_000,
);
