import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  Access,
  commonErrors,
  createCommit,
  createWikiPage,
  discardCopy,
  getStorageMove,
  getWikiPage,
  listCommits,
  listStorageMoves,
  OperationError,
  type ProjectRef,
  projectDeleted,
  projectErrors,
  resolveProject,
  scheduleStorageMove,
  setProjectStorage,
} from '@moothall/contracts';
import {
  callerNamed,
  contextOf,
  eventually,
  itWithoutFaults,
  projectNamed,
  shareBetweenTests,
} from '@moothall/testing';
import { Storages } from '../src/storage/storages';
import { startRepositoryService } from './repository-under-test';

const under = shareBetweenTests(() => startRepositoryService({ STORAGE_MOVE_GRACE: '1' }));
const root = callerNamed('root', { isAdmin: true });

/** A project in a stub projects service, whose storage changes with the move. */
async function movableProject() {
  const made = await under.newProject();
  const place = { project: made.project as ProjectRef };
  under.respond(resolveProject, () => ({ project: place.project, redirected: false }));
  under.respond(setProjectStorage, ({ storage, is_read_only }) => {
    place.project = { ...place.project, storage, isReadOnly: is_read_only };
    return { storage, is_read_only };
  });
  return { ...made, place };
}

const schedule = (id: number, destination_storage_name = 'second') =>
  under.client.call(scheduleStorageMove, { id: String(id), destination_storage_name }, contextOf({ caller: root }));
const projectAt = (storage: string) => projectNamed('app', { storage });
const stateOf = async (move_id: number) =>
  (await under.client.call(getStorageMove, { move_id }, contextOf({ caller: root }))).state;
const existsOn = (storage: string, id: number) => {
  const { engine, path } = under.running.app.get(Storages, { strict: false }).locate({ id, storage });
  return engine.storage.exists(path);
};

itWithoutFaults('moves code and wiki while they are written to, and loses no write', async () => {
  const { place, caller, context } = await movableProject();
  await under.client.call(createWikiPage, { id: 'x', title: 'Home', content: 'Text' }, context);
  const { id } = await schedule(place.project.id);
  const written: string[] = [];
  for (let number = 0; (await stateOf(id)) !== 'finished' || number < 5; number++) {
    const actions = [{ action: 'create' as const, file_path: `f${number}`, content: 'x' }];
    const input = { id: 'x', branch: 'main', commit_message: 'm', actions };
    // A refusal during the switch is fine; a loss is not.
    await under.client.call(createCommit, input, contextOf({ caller, project: place.project })).then(
      (commit) => written.push(commit.id),
      (error: unknown) => expect(error).toMatchObject({ value: { code: 'repository_content.read_only' } }),
    );
  }
  expect(place.project).toMatchObject({ storage: 'second', isReadOnly: false });
  const moved = contextOf({ caller, project: place.project });
  const there: string[] = [];
  for (let page = 1; there.length === 100 * (page - 1); page++) {
    const { items } = await under.client.call(listCommits, { id: 'x', per_page: 100, page }, moved);
    there.push(...items.map((commit) => commit.id));
  }
  expect(there).toEqual(expect.arrayContaining(written));
  expect(await under.client.call(getWikiPage, { id: 'x', slug: 'Home' }, moved)).toMatchObject({ content: 'Text' });
  expect([await existsOn('default', place.project.id), await existsOn('second', place.project.id)]).toEqual([
    false,
    true,
  ]);
});

it('keeps the old copy until clones of it have ended', async () => {
  const { place, commit } = await movableProject();
  const { id } = place.project;
  await commit('main', 'large', randomBytes(2 << 20).toString('hex'));
  const { engine, path } = under.running.app.get(Storages, { strict: false }).locate({ id, storage: 'default' });
  const [tip] = (await engine.copies.snapshot(path)).refs;
  const want = `want ${tip!.id}\n`;
  const input = Readable.from(`${(want.length + 4).toString(16).padStart(4, '0')}${want}00000009done\n`);
  // A client that does not read for now, as with a slow connection.
  const output = await engine.transport.uploadPack({ repository: path, input });
  const move = await schedule(id);
  await eventually(async () => (await stateOf(move.id)) === 'replicated', 'the switch');
  const discard = () =>
    under.client.call(discardCopy, { project_id: id }, contextOf({ project: projectAt('default') }));
  await expect(discard()).rejects.toMatchObject({ value: { code: 'storage_move.copy_in_use' } });
  expect(await existsOn('default', id)).toBe(true);
  const pack = await buffer(output);
  expect(pack.subarray(0, 12).toString('latin1')).toContain('NAK');
  expect(pack.subarray(-20)).toEqual(createHash('sha1').update(pack.subarray(8, -20)).digest());
  await eventually(async () => (await stateOf(move.id)) === 'finished', 'the removal');
  expect(await existsOn('default', id)).toBe(false);
});

it('waits for an unavailable service, while that may block writes', async () => {
  const { place } = await movableProject();
  let asked = 0;
  // The move starts with this request.
  under.respond(resolveProject, () =>
    asked++ === 1
      ? new OperationError(commonErrors.unavailable().value)
      : { project: place.project, redirected: false },
  );
  const { id } = await schedule(place.project.id);
  await eventually(async () => /finished|failed/.test(String(await stateOf(id))), 'the end of the move', 30_000);
  expect([await stateOf(id), place.project.storage]).toEqual(['finished', 'second']);
});

it('ends if the project was deleted meanwhile', async () => {
  const { place } = await movableProject();
  under.respond(setProjectStorage, () => {
    under.respond(resolveProject, () => projectErrors.notFound());
    return projectErrors.notFound();
  });
  const { id } = await schedule(place.project.id);
  await eventually(async () => (await stateOf(id)) === 'failed', 'the end of the move');
});

it('continues at the old place when the switch fails', async () => {
  const { place, commit } = await movableProject();
  under.respond(setProjectStorage, ({ storage, is_read_only }) =>
    storage === 'second' ? new OperationError(commonErrors.conflict().value) : { storage, is_read_only },
  );
  const { id } = await schedule(place.project.id);
  await eventually(async () => (await stateOf(id)) === 'failed');
  await commit('main', 'after.txt', 'still here');
  expect([await existsOn('default', place.project.id), await existsOn('second', place.project.id)]).toEqual([
    true,
    false,
  ]);
});

it.each(['default', 'nowhere'])('refuses to move from default to %s', async (destination) => {
  const { place } = await movableProject();
  await expect(schedule(place.project.id, destination)).rejects.toMatchObject({
    value: { code: 'storage_move.destination_unknown' },
  });
  expect(place.project.accessLevel).toBe(Access.Maintainer);
});

it('refuses a second move of the same project', async () => {
  const { place } = await movableProject();
  const { id } = await schedule(place.project.id);
  await expect(schedule(place.project.id)).rejects.toMatchObject({
    value: { code: 'storage_move.project_read_only' },
  });
  await eventually(async () => (await stateOf(id)) === 'finished');
});

// Regression: they stayed listed for ever.
it('forgets the moves of a deleted project, and its copies on every storage', async () => {
  const { place } = await movableProject();
  const { project } = place;
  const { id } = await schedule(project.id);
  await eventually(async () => (await stateOf(id)) === 'finished', 'the move');
  // State of a move whose cleanup failed.
  const { engine } = under.running.app.get(Storages, { strict: false }).locate({ id: project.id, storage: 'default' });
  await engine.storage.create(project.id);
  await under.emit(projectDeleted, { project_id: project.id, full_path: project.fullPath, storage: 'second' });
  await eventually(
    () =>
      stateOf(id).then(
        () => false,
        () => true,
      ),
    'the move gone',
  );
  expect(await Promise.all(['default', 'second'].map((storage) => existsOn(storage, project.id)))).toEqual([
    false,
    false,
  ]);
  const { items } = await under.client.call(listStorageMoves, {}, contextOf({ caller: root }));
  expect(items.filter((move) => move.project.id === project.id)).toEqual([]);
});
