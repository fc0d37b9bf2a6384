import {
  Access,
  type AccessLevel,
  type Caller,
  createMergeRequestDiscussion,
  createMergeRequestNote,
  type Discussion,
  deleteMergeRequestDiscussionNote,
  getMergeRequestDiscussion,
  listLineDiscussions,
  listMergeRequestDiscussions,
  listProjectMergeRequests,
  mergeMergeRequest,
  mostLineNotes,
  type ProjectRef,
  projectChanged,
  replyToMergeRequestDiscussion,
  resolveMergeRequestDiscussion,
  updateMergeRequestDiscussionNote,
  userDeleted,
} from '@moothall/contracts';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { BlockingDiscussions } from '../src/merge-request/mergeability/blocking-discussions';
import { MergeSettingsReader } from '../src/merge-request/mergeability/merge-settings';
import { codeOf, MergeRequestWorld, shaOf } from './merge-request-world';

const world = shareBetweenTests(() => MergeRequestWorld.start());

const { Guest, Reporter, Developer, Maintainer } = Access;

interface Discussed {
  project: ProjectRef;
  author: Caller;
  on: { merge_request_iid: number };
  discussion: Discussion;
}

async function discussed(): Promise<Discussed> {
  const [project, author] = [world.project(), world.world.user()];
  const { iid } = await world.open(project, author);
  const on = { merge_request_iid: iid };
  return { project, author, on, discussion: await begin(project, author, on) };
}

async function begin(project: ProjectRef, author: Caller, on: Discussed['on']): Promise<Discussion> {
  const input = { ...on, body: 'Really?' };
  const begun = world.world.inProject(createMergeRequestDiscussion, project, author, Developer, input);
  return (await begun) as Discussion;
}

function removeNote({ project, author, on, discussion: { id, notes } }: Discussed): Promise<void> {
  const input = { ...on, discussion_id: id, note_id: notes[0]!.id };
  return world.world.inProject(deleteMergeRequestDiscussionNote, project, author, Developer, input);
}

function resolve({ project, on, discussion: { id } }: Discussed, user: Caller, level: AccessLevel, resolved = true) {
  const input = { ...on, discussion_id: id, resolved };
  return world.world.inProject(resolveMergeRequestDiscussion, project, user, level, input);
}

const reply = ({ project, on, discussion: { id } }: Discussed, user: Caller, body: string) =>
  world.world.inProject(replyToMergeRequestDiscussion, project, user, Developer, { ...on, discussion_id: id, body });

describe('a discussion of a merge request', () => {
  it('waits to be resolved, and can be opened again', async () => {
    const on = await discussed();
    expect(on.discussion.notes).toMatchObject([{ resolvable: true, resolved: false, resolved_by: null }]);
    const user = world.world.user();
    const resolved = await resolve(on, user, Developer);
    expect(resolved.notes).toMatchObject([{ resolved: true, resolved_by: { id: user.id } }]);
    expect(Object.keys(resolved.notes[0]!.resolved_by!).sort()).toEqual(
      ['id', 'username', 'name', 'state', 'avatar_url', 'web_url'].sort(),
    );
    const again = await resolve(on, world.world.user(), Developer);
    expect(again.notes).toMatchObject([{ resolved_by: { id: user.id }, resolved_at: resolved.notes[0]!.resolved_at }]);
    const reopened = await resolve(on, user, Developer, false);
    expect(reopened.notes).toMatchObject([{ resolved: false, resolved_by: null, resolved_at: null }]);
  });

  it('is resolved with all its notes, and a reply to a resolved one is resolved', async () => {
    const on = await discussed();
    const user = world.world.user();
    await reply(on, user, 'Yes');
    expect((await resolve(on, user, Developer)).notes).toMatchObject([{ resolved: true }, { resolved: true }]);
    expect(await reply(on, on.author, 'Thanks')).toMatchObject({ resolved: true, resolved_by: { id: on.author.id } });
  });

  it('is resolved by developers and the author of the merge request', async () => {
    const on = await discussed();
    expect(await codeOf(resolve(on, world.world.user(), Reporter))).toBe('common.forbidden');
    expect(await codeOf(resolve(on, on.author, Guest))).toBe('ok');
  });

  it('has notes that are resolved one by one', async () => {
    const on = await discussed();
    await reply(on, on.author, 'Yes');
    const input = { ...on.on, discussion_id: on.discussion.id, note_id: on.discussion.notes[0]!.id, resolved: true };
    const { project, author } = on;
    const note = await world.world.inProject(updateMergeRequestDiscussionNote, project, author, Developer, input);
    expect(note).toMatchObject({ resolved: true });
    const { notes } = await world.world.inProject(getMergeRequestDiscussion, project, author, Developer, input);
    expect(notes).toMatchObject([{ resolved: true }, { resolved: false }]);
  });

  it('is different from a single note', async () => {
    const { project, author, on } = await discussed();
    await world.world.inProject(createMergeRequestNote, project, author, Developer, { ...on, body: 'Alone' });
    const { items } = await world.world.inProject(listMergeRequestDiscussions, project, author, Developer, on);
    const alone = items.find(({ individual_note }) => individual_note)!;
    expect(alone.notes).toMatchObject([{ body: 'Alone', resolvable: false, type: null }]);
    const answer = resolve({ project, author, on, discussion: alone }, author, Developer);
    expect(await codeOf(answer)).toBe('discussion.not_resolvable');
  });

  it('can be on a line of the diff', async () => {
    const { project, author, on } = await discussed();
    const sha = shaOf('x');
    const position = {
      base_sha: sha,
      start_sha: sha,
      head_sha: sha,
      position_type: 'text' as const,
      new_path: 'a.txt',
      new_line: 3,
    };
    const input = { ...on, body: 'Here', position };
    const begun = await world.world.inProject(createMergeRequestDiscussion, project, author, Developer, input);
    const { id, notes } = begun as Discussion;
    expect(notes).toMatchObject([{ type: 'DiffNote', position, resolvable: true }]);
    expect(await reply({ project, author, on, discussion: begun as Discussion }, author, 'There')).toMatchObject({
      type: 'DiffNote',
      position,
    });
    const read = { ...on, discussion_id: id };
    const found = await world.world.inProject(getMergeRequestDiscussion, project, author, Developer, read);
    expect(found.notes[0]).toEqual(notes[0]);
  });

  describe('on lines of some files', () => {
    const [now, before] = [shaOf('now'), shaOf('before')];
    const positionIn = (new_path: string, head_sha: string, over = {}) => ({
      ...{ base_sha: before, start_sha: before, head_sha, position_type: 'text' as const, new_path, new_line: 3 },
      ...over,
    });

    async function onLines() {
      const [project, author] = [world.project(), world.world.user()];
      const { iid } = await world.open(project, author);
      const on = { merge_request_iid: iid };
      const comment = async (body: string, position?: ReturnType<typeof positionIn>) => {
        const input = { ...on, body, position };
        return (await world.world.inProject(
          createMergeRequestDiscussion,
          project,
          author,
          Developer,
          input,
        )) as Discussion;
      };
      const list = (paths: string[], characters = 100) =>
        world.world.inProject(listLineDiscussions, project, author, Developer, {
          ...{ ...on, head_sha: now, paths, characters },
        });
      return { project, author, on, comment, list };
    }

    it('are listed with their replies, and without those of other files and versions', async () => {
      const { project, author, on, comment, list } = await onLines();
      const first = await comment('First', positionIn('a.txt', now));
      await comment('On another file', positionIn('b.txt', now));
      await comment('On an earlier version', positionIn('a.txt', before));
      await comment('On no line');
      const renamed = await comment('On a removed line', positionIn('c.txt', now, { old_path: 'a.txt' }));
      await reply({ project, author, on, discussion: first }, author, 'Answered');
      const { discussions, is_whole } = await list(['a.txt']);
      expect(discussions.map(({ id, notes }) => [id, notes.map(({ body }) => body)])).toEqual([
        [first.id, ['First', 'Answered']],
        [renamed.id, ['On a removed line']],
      ]);
      expect(is_whole).toBe(true);
      expect(await list(['d.txt'])).toEqual({ discussions: [], is_whole: true });
    });

    it('have texts that are cut, also next to characters of two units', async () => {
      const { comment, list } = await onLines();
      await comment('😀'.repeat(1000), positionIn('a.txt', now));
      const [found] = (await list(['a.txt'], 3)).discussions;
      expect(found!.notes[0]!.body).toBe('😀'.repeat(3));
    });

    it('are cut after a number of notes', async () => {
      const { comment, list } = await onLines();
      for (let note = 0; note <= mostLineNotes; note++) await comment(`${note}`, positionIn('a.txt', now));
      const { discussions, is_whole } = await list(['a.txt']);
      expect([discussions.length, is_whole]).toEqual([mostLineNotes, false]);
      expect(discussions.at(-1)!.notes[0]!.body).toBe(`${mostLineNotes - 1}`);
    });
  });

  it('blocks the merge if the project requires resolved discussions', async () => {
    const on = await discussed();
    const { project, author } = on;
    const shown = async () => (await world.get(project, on.on.merge_request_iid, author)).blocking_discussions_resolved;
    const listed = async () => {
      const { items } = await world.world.inProject(listProjectMergeRequests, project, author, Developer, {});
      return items.map((item) => (item as { blocking_discussions_resolved?: boolean }).blocking_discussions_resolved);
    };
    const merge = () => world.world.inProject(mergeMergeRequest, project, author, Maintainer, on.on);
    expect([await shown(), await listed()]).toEqual([true, [true]]);
    world.settings.set(project.id, { only_allow_merge_if_all_discussions_are_resolved: true });
    await world.world.service.emit(projectChanged, {
      ...{ project_id: project.id, full_path: project.fullPath, change: 'updated' },
    });
    await eventually(async () => !(await shown()), 'the new setting');
    expect(await listed()).toEqual([false]);
    expect(await codeOf(merge())).toBe('merge_request.not_mergeable');
    await resolve(on, author, Developer);
    expect([await shown(), await listed()]).toEqual([true, [true]]);
    expect(await codeOf(merge())).toBe('ok');
  });

  it('reads the setting of each project once, for any number of discussions', async () => {
    const [one, two] = [await discussed(), await discussed()];
    const id = async ({ project, author, on }: Discussed) =>
      (await world.get(project, on.merge_request_iid, author)).id;
    const projectId = one.project.id;
    const both = [await id(one), await id(two)].map((_id) => ({ _id, projectId }));
    world.settings.set(projectId, { only_allow_merge_if_all_discussions_are_resolved: true });
    const asked = jest.spyOn(world.settings, 'get');
    const blocking = world.world.service.running.app.get(BlockingDiscussions, { strict: false });
    const settings = world.world.service.running.app.get(MergeSettingsReader, { strict: false });
    const read = (project: ProjectRef) => settings.read(project, one.author);
    const kept = await blocking.findBlocked(both, new Map([[projectId, one.project]]), read);
    expect([...kept]).toEqual(both.map(({ _id }) => _id));
    expect(asked).toHaveBeenCalledTimes(1);
    asked.mockRestore();
  });

  it.each([
    ['is resolved', async (on: Discussed) => void (await resolve(on, on.author, Developer))],
    ['is removed', removeNote],
  ])('lets a promised merge happen when the last one %s after the pipeline', async (_, settle) => {
    const on = await discussed();
    const { project, author } = on;
    const state = async () => (await world.get(project, on.on.merge_request_iid, author)).state;
    const { sha } = await world.get(project, on.on.merge_request_iid, author);
    world.join(author, project, Developer);
    world.pipelines.set(sha!, 'running');
    await world.merge(project, author, on.on.merge_request_iid, { merge_when_pipeline_succeeds: true });
    world.settings.set(project.id, { only_allow_merge_if_all_discussions_are_resolved: true });
    const other = { ...on, discussion: await begin(project, author, on.on) };
    world.pipelines.set(sha!, 'success');
    await resolve(other, author, Developer);
    expect(await state()).toBe('opened');
    await settle(on);
    expect(await state()).toBe('merged');
  });

  it('was resolved by the ghost user if its user was deleted', async () => {
    const on = await discussed();
    const [user, ghost] = [world.world.user(), world.world.user()];
    await resolve(on, user, Developer);
    const data = { user_id: user.id, username: user.username, hard_delete: false, ghost_user_id: ghost.id };
    await world.world.service.emit(userDeleted, data);
    const input = { ...on.on, discussion_id: on.discussion.id };
    await eventually(async () => {
      const found = world.world.inProject(getMergeRequestDiscussion, on.project, on.author, Developer, input);
      return (await found).notes[0]!.resolved_by!.id === ghost.id;
    });
  });
});
