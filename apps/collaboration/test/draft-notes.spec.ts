import {
  Access,
  type AccessLevel,
  type Caller,
  createDraftNote,
  deleteDraftNote,
  getDraftNote,
  listDraftNotes,
  mergeRequestDiscussions,
  mergeRequestNotes,
  type Operation,
  type OutputOf,
  publishDraftNote,
  publishDraftNotes,
  updateDraftNote,
  userDeleted,
} from '@moothall/contracts';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { mostDrafts } from '../src/note/draft-note.repository';
import { codeOf, MergeRequestWorld } from './merge-request-world';

const git = shareBetweenTests(() => MergeRequestWorld.start());

const { Reporter, Developer } = Access;

/** A merge request, with operations of several users. */
async function opened() {
  const project = git.project();
  const author = git.member(project);
  const { iid } = await git.open(project, author);
  const as =
    (user: Caller, level: AccessLevel = Developer) =>
    <T extends Operation>(operation: T, input: object = {}): Promise<OutputOf<T>> =>
      git.world.inProject(operation, project, user, level, { merge_request_iid: iid, ...input } as never);
  const bodies = async () => {
    const { items } = await as(author)(mergeRequestNotes.list, { activity_filter: 'only_comments', sort: 'asc' });
    return items.map(({ body }) => body);
  };
  return { project, iid, author, as, bodies };
}

const position = {
  ...{ base_sha: 'a'.repeat(40), start_sha: 'a'.repeat(40), head_sha: 'b'.repeat(40) },
  ...{ position_type: 'text' as const, new_path: 'crane.rb', new_line: 3 },
};

it('are created, changed and deleted, and visible only to their author', async () => {
  const { author, as, bodies } = await opened();
  const [ask, other] = [as(author), as(git.world.user())];
  const made = await ask(createDraftNote, { note: 'Why?', position });
  expect(made).toMatchObject({
    ...{ author_id: author.id, note: 'Why?', discussion_id: null, resolve_discussion: false, line_code: null },
    position,
  });
  const on = { draft_note_id: made.id };
  expect(await ask(updateDraftNote, { ...on, note: 'How?' })).toMatchObject({ note: 'How?', position });
  expect((await ask(listDraftNotes)).items).toMatchObject([{ id: made.id, note: 'How?' }]);
  expect((await other(listDraftNotes)).items).toEqual([]);
  for (const operation of [getDraftNote, deleteDraftNote, publishDraftNote])
    expect(await codeOf(other(operation, on))).toBe('draft_note.not_found');
  expect(await codeOf(other(updateDraftNote, { ...on, note: 'x' }))).toBe('draft_note.not_found');
  await other(publishDraftNotes);
  await ask(deleteDraftNote, on);
  expect(await codeOf(ask(getDraftNote, on))).toBe('draft_note.not_found');
  expect(await bodies()).toEqual([]);
});

it('become notes, answers and notes on changes, in their order', async () => {
  const { author, as, bodies } = await opened();
  const ask = as(author);
  const begun = await ask(mergeRequestDiscussions.create, { body: 'Shall we?' });
  const { id: in_reply_to_discussion_id } = begun as { id: string };
  await ask(createDraftNote, { note: 'One' });
  await ask(createDraftNote, { note: 'Yes', in_reply_to_discussion_id, resolve_discussion: true });
  await ask(createDraftNote, { note: 'Here', position });
  await ask(publishDraftNotes);
  expect((await ask(listDraftNotes)).items).toEqual([]);
  expect(await bodies()).toEqual(['Shall we?', 'One', 'Yes', 'Here']);
  const { items } = await ask(mergeRequestDiscussions.list);
  const discussed = items.filter(({ notes }) => !notes[0]!.system);
  expect(discussed.map(({ notes }) => notes.map(({ body, type }) => [body, type]))).toEqual([
    [
      ['Shall we?', 'DiscussionNote'],
      ['Yes', 'DiscussionNote'],
    ],
    [['One', null]],
    [['Here', 'DiffNote']],
  ]);
  expect(discussed[0]!.notes.every(({ resolved }) => resolved)).toBe(true);
});

it('are published once under concurrent requests', async () => {
  const { author, as, bodies } = await opened();
  const { id } = await as(author)(createDraftNote, { note: 'Once' });
  const tries = [1, 2, 3, 4].map(() => codeOf(as(author)(publishDraftNote, { draft_note_id: id })));
  await Promise.all(tries);
  await eventually(async () => (await bodies()).length === 1, 'the note');
});

it('stay drafts if they are refused', async () => {
  const { author, as, bodies, project, iid } = await opened();
  const { id } = await as(author)(createDraftNote, { note: 'Later' });
  const archived = { ...project, isArchived: true };
  const input = { merge_request_iid: iid, draft_note_id: id };
  expect(await codeOf(git.world.inProject(publishDraftNote, archived, author, Developer, input))).toBe(
    'project.archived',
  );
  expect(await bodies()).toEqual([]);
  await as(author)(publishDraftNote, { draft_note_id: id });
  expect(await bodies()).toEqual(['Later']);
});

it('make no second note when their publishing was cut off after the first', async () => {
  const { author, as, bodies } = await opened();
  const ask = as(author);
  const begun = (await ask(mergeRequestDiscussions.create, { body: 'Shall we?' })) as { id: string };
  const { collection } = git.world.service.running.app.get('DraftNoteModel', { strict: false });
  for (const input of [
    { note: 'Alone' },
    { note: 'There', position },
    { note: 'Yes', in_reply_to_discussion_id: begun.id },
  ]) {
    const { id: draft_note_id } = await ask(createDraftNote, input);
    const before = await collection.findOne({ _id: draft_note_id });
    await ask(publishDraftNote, { draft_note_id });
    const { items } = await ask(mergeRequestNotes.list, { activity_filter: 'only_comments' });
    const { id: noteId } = items.find(({ body }) => body === input.note)!;
    // The state after a process has written the note and was killed.
    await collection.insertOne({ ...before, noteId, publishingSince: new Date(0) });
    await ask(publishDraftNotes);
    expect((await ask(listDraftNotes)).items).toEqual([]);
  }
  expect(await bodies()).toEqual(['Shall we?', 'Alone', 'There', 'Yes']);
});

it('resolve nothing that their author may not resolve', async () => {
  const { author, as, bodies } = await opened();
  const { id } = (await as(author)(mergeRequestDiscussions.create, { body: 'Shall we?' })) as { id: string };
  const reporter = as(git.world.user(), Reporter);
  const fields = { in_reply_to_discussion_id: id, resolve_discussion: true };
  const draft = await reporter(createDraftNote, { note: 'Yes', ...fields });
  await reporter(publishDraftNote, { draft_note_id: draft.id });
  expect(await bodies()).toEqual(['Shall we?', 'Yes']);
  const { notes } = await as(author)(mergeRequestDiscussions.get, { discussion_id: id });
  expect(notes.map(({ resolved }) => resolved)).toEqual([false, false]);
});

it.each([
  ['blank', { note: ' ' }, 'note.blank'],
  ['answers to nothing', { note: 'x', in_reply_to_discussion_id: '0'.repeat(40) }, 'discussion.not_found'],
  ['on no merge request', { note: 'x', merge_request_iid: 999 }, 'merge_request.not_found'],
])('are not %s', async (_what, input, code) => {
  const { author, as } = await opened();
  expect(await codeOf(as(author)(createDraftNote, input))).toBe(code);
});

it('are no more than so many', async () => {
  const { author, as } = await opened();
  const made = await as(author)(createDraftNote, { note: 'first' });
  const { authorId, mergeRequestId } = { authorId: made.author_id, mergeRequestId: made.merge_request_id };
  const drafts = git.world.service.running.app.get('DraftNoteModel', { strict: false });
  const more = Array.from({ length: mostDrafts }, (_, at) => ({
    _id: 1e9 + made.id * 1000 + at,
    authorId,
    mergeRequestId,
  }));
  await drafts.collection.insertMany(more);
  expect(await codeOf(as(author)(createDraftNote, { note: 'x' }))).toBe('common.invalid_record');
});

it('are deleted with their author', async () => {
  const { author, as } = await opened();
  await as(author)(createDraftNote, { note: 'Gone soon' });
  await git.world.service.emit(userDeleted, { user_id: author.id, ghost_user_id: 1, hard_delete: false } as never);
  await eventually(async () => (await as(author)(listDraftNotes)).items.length === 0, 'the end of the drafts');
});
