import { randomBytes } from 'node:crypto';
import {
  Access,
  type AccessLevel,
  type Caller,
  commitDiscussions,
  createCommitComment,
  type Discussion,
  listCommitComments,
  type Note,
  noteCreated,
  type ProjectRef,
  projectDeleted,
  searchProjectNotes,
  showRecords,
} from '@moothall/contracts';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { CollaborationUnderTest } from './collaboration-under-test';
import { codeOf } from './merge-request-world';

const world = shareBetweenTests(() => CollaborationUnderTest.start());

const { None, Reporter, Maintainer, Owner } = Access;

const parent = 'b'.repeat(40);

function newCommit(parents = [parent]) {
  const sha = randomBytes(20).toString('hex');
  world.commits.set(sha, { title: 'Turn the crane', parents });
  return { sha, project: world.project(), author: world.user() };
}

type Commit = ReturnType<typeof newCommit>;

const comment = ({ sha, project, author }: Commit, note: string, fields: object = {}, user: Caller = author) =>
  world.inProject(createCommitComment, project, user, Reporter, { sha, note, ...fields });
const comments = async ({ sha, project }: Commit, caller?: Caller) =>
  (await world.inProject(listCommitComments, project, caller, None, { sha } as never)).items;
const begin = ({ sha, project, author }: Commit, body: string, fields: object = {}) =>
  world.inProject(commitDiscussions.create, project, author, Reporter, { sha, body, ...fields }) as Promise<Discussion>;
const discussions = async ({ sha, project, author }: Commit) =>
  (await world.inProject(commitDiscussions.list, project, author, Reporter, { sha } as never)).items;

it('shows comments of a commit to everybody who can read it, oldest first, with their line', async () => {
  const commit = newCommit();
  expect(await comments(commit)).toEqual([]);
  const line = { path: 'crane.rb', line: 7, line_type: 'old' };
  expect(await comment(commit, 'Why?', line)).toMatchObject({ note: 'Why?', ...line });
  await comment(commit, 'Good');
  expect(await comments(commit)).toMatchObject([
    { note: 'Why?', ...line, author: { id: commit.author.id, username: commit.author.username } },
    { note: 'Good', path: null, line: null, line_type: null },
  ]);
  expect(await comments({ ...commit, project: world.project() })).toEqual([]);
});

it('shows a comment on a line as a discussion with its position in the diff', async () => {
  const commit = newCommit();
  await comment(commit, 'Why?', { path: 'crane.rb', line: 7 });
  await comment(newCommit([]), 'Another', { path: 'crane.rb', line: 1 });
  const [found] = await discussions(commit);
  expect(found).toMatchObject({ individual_note: false });
  expect(found!.notes).toMatchObject([
    {
      ...{ type: 'DiffNote', noteable_type: 'Commit', commit_id: commit.sha, noteable_iid: null, resolvable: false },
      position: { base_sha: parent, head_sha: commit.sha, new_path: 'crane.rb', new_line: 7, old_line: null },
    },
  ]);
  const first = newCommit([]);
  await comment(first, 'The first', { path: 'a', line: 1 });
  expect((await discussions(first))[0]!.notes[0]!.position).toMatchObject({ base_sha: '0'.repeat(40) });
});

it('creates, answers, changes and removes discussions, and publishes each note', async () => {
  const commit = newCommit();
  const { sha, project, author } = commit;
  const { id: discussion_id } = await begin(commit, 'Shall we?');
  const on = { sha, discussion_id };
  const answer = await world.inProject(commitDiscussions.reply, project, author, Reporter, { ...on, body: 'Yes' });
  const note = { ...on, note_id: (answer as Note).id };
  await world.inProject(commitDiscussions.updateNote, project, author, Reporter, { ...note, body: 'No' });
  const { notes } = await world.inProject(commitDiscussions.get, project, author, Reporter, on);
  expect(notes.map(({ body }) => body)).toEqual(['Shall we?', 'No']);
  expect(await comments(commit)).toMatchObject([{ note: 'Shall we?' }, { note: 'No' }]);
  await eventually(
    () => world.service.events(noteCreated).filter(({ data }) => data.note.commit_id === sha).length === 2,
    'the events',
  );
  await world.inProject(commitDiscussions.removeNote, project, author, Reporter, note);
  expect((await discussions(commit))[0]!.notes).toHaveLength(1);
});

it('creates one record for a commit under concurrent comments', async () => {
  const commit = newCommit();
  await Promise.all([1, 2, 3, 4, 5, 6].map((turn) => comment(commit, `note ${turn}`)));
  await eventually(async () => (await comments(commit)).length === 6, 'all notes');
});

it('finds comments only where the caller may read the code', async () => {
  const commit = newCommit();
  await comment(commit, 'Sprocket');
  const { project, author } = commit;
  const search = () =>
    world.inProject(searchProjectNotes, project, author, Reporter, { scope: 'notes', search: 'sprocket' } as never);
  world.join(author, project, Reporter);
  await eventually(async () => (await search()).items.length === 1, 'the note');
  const { id } = (await search()).items[0]!;
  const shown = async (caller: Caller) =>
    (await world.call(showRecords, { note_ids: [id] }, { requestId: 'test', caller })).notes;
  expect(await shown(author)).toMatchObject([{ body: 'Sprocket', noteable_title: 'Turn the crane' }]);
  expect(await shown(world.user())).toEqual([]);
});

type Asked = (commit: Commit) => Promise<unknown>;
const as =
  (level: AccessLevel, over: Partial<ProjectRef> = {}, body = 'x'): Asked =>
  ({ sha, project, author }) =>
    world.inProject(commitDiscussions.create, { ...project, ...over }, author, level, { sha, body });

it.each<[what: string, ask: Asked, code: string]>([
  [
    'a commit that is not there',
    (commit) => comment({ ...commit, sha: 'nope' }, 'x'),
    'repository_content.commit_not_found',
  ],
  ['the comments of none', (commit) => comments({ ...commit, sha: 'nope' }), 'repository_content.commit_not_found'],
  ['nothing', (commit) => comment(commit, ' \n'), 'note.blank'],
  ['nothing, as a discussion', as(Reporter, {}, ' '), 'note.blank'],
  ['an archived project', as(Owner, { isArchived: true }), 'project.archived'],
  [
    'a change of a note in no discussion',
    ({ sha, project, author }) =>
      world.inProject(commitDiscussions.updateNote, project, author, Maintainer, {
        ...{ sha, discussion_id: '0'.repeat(40), note_id: 1, body: 'x' },
      }),
    'discussion.not_found',
  ],
])('refuses %s', async (_what, ask, code) => {
  expect(await codeOf(ask(newCommit()))).toBe(code);
});

it.each([
  ['a path without a line', { path: 'a' }],
  ['a line before the first', { path: 'a', line: 0 }],
  ['too much', { note: 'x'.repeat(1_000_001) }],
])('refuses %s', async (_what, fields) => {
  await expect(comment(newCommit(), 'x', fields)).rejects.toThrow();
});

it('deletes the comments with the project', async () => {
  const commit = newCommit();
  await comment(commit, 'Gone soon');
  const { id: project_id, fullPath: full_path } = commit.project;
  await world.service.emit(projectDeleted, { project_id, full_path, storage: 'default' });
  await eventually(async () => (await comments(commit)).length === 0, 'the end of the notes');
});
