import {
  Access,
  type AccessLevel,
  type Caller,
  createIssue,
  createIssueDiscussion,
  createIssueNote,
  createSnippetDiscussion,
  type Discussion,
  deleteIssueDiscussionNote,
  getIssue,
  getIssueDiscussion,
  getIssueDiscussionNote,
  listIssueDiscussionBeginnings,
  listIssueDiscussions,
  listIssueNotes,
  type Note,
  type ProjectRef,
  replyToIssueDiscussion,
  updateIssue,
  updateIssueDiscussionNote,
} from '@moothall/contracts';
import { shareBetweenTests } from '@moothall/testing';
import { CollaborationUnderTest } from './collaboration-under-test';
import { codeOf } from './merge-request-world';

const world = shareBetweenTests(() => CollaborationUnderTest.start());

const { None, Guest, Reporter, Maintainer, Owner } = Access;

/** An issue, with operations on its discussions as one user with one level. */
class DiscussedIssue {
  private constructor(
    readonly project: ProjectRef,
    readonly author: Caller,
    readonly on: { issue_iid: number },
  ) {}

  static async open(fields: object = {}): Promise<DiscussedIssue> {
    const [project, author] = [world.project(), world.user()];
    const { iid } = await world.inProject(createIssue, project, author, Reporter, { title: 'One', ...fields });
    return new DiscussedIssue(project, author, { issue_iid: iid });
  }

  note(body: string, user = this.author, level: AccessLevel = Reporter, fields: object = {}): Promise<Note> {
    const input = { ...this.on, body, ...fields };
    return world.inProject(createIssueNote, this.project, user, level, input) as Promise<Note>;
  }

  begin(body: string, user = this.author, level: AccessLevel = Reporter, fields: object = {}): Promise<Discussion> {
    const input = { ...this.on, body, ...fields };
    return world.inProject(createIssueDiscussion, this.project, user, level, input) as Promise<Discussion>;
  }

  reply(discussion_id: string, body: string, user = this.author, level: AccessLevel = Reporter): Promise<Note> {
    const input = { ...this.on, discussion_id, body };
    return world.inProject(replyToIssueDiscussion, this.project, user, level, input) as Promise<Note>;
  }

  get(discussion_id: string, user = this.author, level: AccessLevel = Reporter): Promise<Discussion> {
    return world.inProject(getIssueDiscussion, this.project, user, level, { ...this.on, discussion_id });
  }

  list(input: object = {}, user = this.author, level: AccessLevel = Reporter) {
    return world.inProject(listIssueDiscussions, this.project, user, level, { ...this.on, ...input });
  }

  /** At most two notes of each discussion, and four characters of each note. */
  beginnings(input: object = {}, user = this.author, level: AccessLevel = Reporter) {
    const asked = { ...this.on, notes: 2, characters: 4, ...input };
    return world.inProject(listIssueDiscussionBeginnings, this.project, user, level, asked);
  }

  /** Id of the discussion of a note. */
  async around({ id }: Note): Promise<string> {
    const { items } = await this.list();
    return items.find(({ notes }) => notes.some((note) => note.id === id))!.id;
  }
}

/** The notes of a discussion as its beginning has them. */
const shortOf = ({ notes }: Discussion) => notes.map((note) => ({ ...note, body: note.body.slice(0, 4) }));

const bodiesOf = ({ notes }: Discussion): string[] => notes.map(({ body }) => body);

describe('discussions', () => {
  it('are started, answered and read, oldest note first', async () => {
    const issue = await DiscussedIssue.open();
    const begun = await issue.begin('Why?');
    expect(begun).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{40}$/), individual_note: false });
    expect(begun.notes).toMatchObject([{ body: 'Why?', type: 'DiscussionNote', resolvable: false }]);
    const reply = await issue.reply(begun.id, 'Because.', world.user(), Guest);
    expect(reply).toMatchObject({ body: 'Because.', type: 'DiscussionNote' });
    const read = await issue.get(begun.id);
    expect(read).toEqual({ id: begun.id, individual_note: false, notes: [begun.notes[0], expect.anything()] });
    expect(bodiesOf(read)).toEqual(['Why?', 'Because.']);
    const { user_notes_count } = await world.inProject(getIssue, issue.project, issue.author, Reporter, issue.on);
    expect(user_notes_count).toBe(2);
  });

  it('are listed with single notes and system notes by their start, page by page', async () => {
    const issue = await DiscussedIssue.open();
    await issue.note('alone');
    const begun = await issue.begin('first');
    const changed = { ...issue.on, title: 'Two' };
    await world.inProject(updateIssue, issue.project, issue.author, Reporter, changed);
    await issue.reply(begun.id, 'second');
    const { items, total } = await issue.list();
    expect(items.map((each) => [each.individual_note, bodiesOf(each)])).toEqual([
      [true, ['alone']],
      [false, ['first', 'second']],
      [true, ['changed title from **{-One-}** to **{+Two+}**']],
    ]);
    expect(total).toBe(3);
    const second = await issue.list({ page: 2, per_page: 1 });
    expect([second.items.map(({ id }) => id), second.total]).toEqual([[begun.id], 3]);
    const { items: notes } = await world.inProject(listIssueNotes, issue.project, issue.author, Reporter, issue.on);
    expect(notes).toHaveLength(4);
  });

  it.each([1, 2, 3, 7])('are listed by their start on pages of %i, with single notes between them', async (size) => {
    const issue = await DiscussedIssue.open();
    const at = (minute: number) => ({ created_at: new Date(Date.UTC(2020, 0, 1, 0, minute)).toISOString() });
    const threads = new Map<number, Discussion>();
    for (const minute of [50, 10, 42, 41]) threads.set(minute, await issue.begin('x', issue.author, Owner, at(minute)));
    for (const minute of [20, 45, 5, 30, 31, 60, 43]) await issue.note('alone', issue.author, Owner, at(minute));
    await issue.note('hidden', issue.author, Owner, { ...at(25), confidential: true });
    // A reply whose discussion comes later, and one whose discussion was deleted.
    const answer = { ...issue.on, discussion_id: threads.get(50)!.id, body: 'y', ...at(7) };
    await world.inProject(replyToIssueDiscussion, issue.project, issue.author, Owner, answer);
    const { id, notes } = threads.get(42)!;
    await world.inProject(replyToIssueDiscussion, issue.project, issue.author, Owner, {
      ...{ ...issue.on, discussion_id: id, body: 'z', ...at(44) },
    });
    const gone = { ...issue.on, discussion_id: id, note_id: notes[0]!.id };
    await world.inProject(deleteIssueDiscussionNote, issue.project, issue.author, Owner, gone);
    for (const [user, level, minutes] of [
      [issue.author, Owner, [5, 7, 10, 20, 25, 30, 31, 41, 43, 44, 45, 60]],
      [world.user(), Guest, [5, 7, 10, 20, 30, 31, 41, 43, 44, 45, 60]],
    ] as const) {
      const found: string[] = [];
      for (let page = 1; page <= Math.ceil(minutes.length / size) + 1; page++) {
        const { items, total } = await issue.list({ page, per_page: size }, user, level);
        expect(total).toBe(minutes.length);
        const begun = items.map((each) => ({ ...each, notes: shortOf(each), left: 0 }));
        expect(await issue.beginnings({ page, per_page: size }, user, level)).toEqual({ items: begun, total });
        found.push(...items.map((each) => each.notes[0]!.created_at));
      }
      expect(found).toEqual(minutes.map((minute) => at(minute).created_at));
    }
  });

  it('are listed with their first notes, whose texts are cut, and the number of further ones', async () => {
    const issue = await DiscussedIssue.open();
    const single = await issue.around(await issue.note('a note alone'));
    for (const reply of ['one more', 'two more', 'three more']) await issue.reply(single, reply);
    const { id } = await issue.begin('bytes: äöü');
    await issue.reply(id, 'a second');
    const begun = await issue.beginnings();
    expect(begun.items.map(({ left, ...each }) => [each.id, bodiesOf(each), left])).toEqual([
      [single, ['a no', 'one '], 2],
      [id, ['byte', 'a se'], 0],
    ]);
    expect((await issue.beginnings({ notes: 1 })).items.map(({ notes, left }) => [notes.length, left])).toEqual([
      [1, 3],
      [1, 1],
    ]);
    expect((await issue.beginnings({ notes: 4, characters: 99 })).items).toEqual(
      (await issue.list()).items.map((each) => ({ ...each, left: 0 })),
    );
  });

  it('start from a single note when somebody replies to it', async () => {
    const issue = await DiscussedIssue.open();
    const note = await issue.note('alone');
    const id = await issue.around(note);
    await issue.reply(id, 'no more');
    expect(await issue.get(id)).toMatchObject({
      individual_note: false,
      notes: [
        { id: note.id, type: 'DiscussionNote' },
        { body: 'no more', type: 'DiscussionNote' },
      ],
    });
  });

  it('leave a single note unchanged if a reply is refused or contains only commands', async () => {
    const issue = await DiscussedIssue.open();
    const note = await issue.note('alone');
    const id = await issue.around(note);
    expect(await codeOf(issue.reply(id, ' '))).toBe('note.blank');
    await issue.reply(id, '/close');
    expect(await issue.get(id)).toMatchObject({ individual_note: true, notes: [{ id: note.id, type: null }] });
  });

  it('accept two concurrent replies to a single note', async () => {
    const issue = await DiscussedIssue.open();
    const id = await issue.around(await issue.note('alone'));
    await Promise.all([issue.reply(id, 'one'), issue.reply(id, 'two')]);
    expect(bodiesOf(await issue.get(id)).sort()).toEqual(['alone', 'one', 'two']);
    expect((await issue.list()).total).toBe(1);
  });

  it('do not start from system notes', async () => {
    const issue = await DiscussedIssue.open();
    await world.inProject(updateIssue, issue.project, issue.author, Reporter, { ...issue.on, title: 'Two' });
    const [{ id } = { id: '' }] = (await issue.list()).items;
    expect(await codeOf(issue.reply(id, 'Why?'))).toBe('discussion.takes_no_replies');
  });

  it('continue when their first note is removed, and end with their last', async () => {
    const issue = await DiscussedIssue.open();
    const { id, notes } = await issue.begin('first');
    const reply = await issue.reply(id, 'second');
    const remove = (note_id: number) =>
      world.inProject(deleteIssueDiscussionNote, issue.project, issue.author, Reporter, {
        ...issue.on,
        discussion_id: id,
        note_id,
      });
    await remove(notes[0]!.id);
    expect(bodiesOf(await issue.get(id))).toEqual(['second']);
    expect(bodiesOf((await issue.list()).items[0]!)).toEqual(['second']);
    await issue.reply(id, 'third');
    await remove(reply.id);
    expect(bodiesOf(await issue.get(id))).toEqual(['third']);
    await remove((await issue.get(id)).notes[0]!.id);
    expect(await codeOf(issue.get(id))).toBe('discussion.not_found');
    expect(await issue.list()).toEqual({ items: [], total: 0 });
  });

  it('store an emoji as a reply, and run commands', async () => {
    const issue = await DiscussedIssue.open();
    const { id } = await issue.begin('Done?');
    expect(await issue.reply(id, ':thumbsup:')).toMatchObject({ body: ':thumbsup:' });
    expect(await issue.reply(id, 'Closing.\n/close')).toMatchObject({
      body: 'Closing.',
      commands_changes: { state_event: 'close' },
    });
    expect(await issue.reply(id, '/reopen')).toMatchObject({ commands_changes: { state_event: 'reopen' } });
    expect(bodiesOf(await issue.get(id))).toEqual(['Done?', ':thumbsup:', 'Closing.']);
  });

  it('are confidential as a whole, and missing for users who may not see them', async () => {
    const issue = await DiscussedIssue.open();
    const open = await issue.note('open', world.user(), Guest);
    const hidden = await issue.note('hidden', undefined, Reporter, { confidential: true });
    const id = await issue.around(hidden);
    expect(await issue.reply(id, 'also hidden')).toMatchObject({ confidential: true });
    const guest = world.user();
    expect((await issue.list({}, guest, Guest)).items.map(bodiesOf)).toEqual([[open.body]]);
    expect((await issue.list({}, guest, Guest)).total).toBe(1);
    expect(await codeOf(issue.get(id, guest, Guest))).toBe('discussion.not_found');
    expect(await codeOf(issue.reply(id, 'x', guest, Guest))).toBe('discussion.not_found');
  });

  it('accept a creation time from owners only', async () => {
    const issue = await DiscussedIssue.open();
    const created_at = '2020-10-15T08:12:01.000Z';
    const timeOf = async (level: AccessLevel) =>
      (await issue.begin('x', issue.author, level, { created_at })).notes[0]!.created_at;
    expect(await timeOf(Owner)).toBe(created_at);
    expect(await timeOf(Maintainer)).not.toBe(created_at);
  });

  it('are refused if notes are refused', async () => {
    const issue = await DiscussedIssue.open();
    const { id } = await issue.begin('x');
    expect(await codeOf(issue.begin('  '))).toBe('note.blank');
    expect(await codeOf(issue.reply(id, ' '))).toBe('note.blank');
    await world.inProject(updateIssue, issue.project, issue.author, Reporter, { ...issue.on, discussion_locked: true });
    expect(await codeOf(issue.begin('x', world.user(), None))).toBe('common.forbidden');
    expect(await codeOf(issue.reply(id, 'x', world.user(), None))).toBe('common.forbidden');
    issue.project.isArchived = true;
    expect(await codeOf(issue.reply(id, 'x'))).toBe('project.archived');
  });

  it.each(['', 'x', '0'.repeat(40), 'f'.repeat(40), '1'.padStart(40, '0'), `${'0'.repeat(38)}.5`])(
    'are not found by %p',
    async (id) => expect(await codeOf((await DiscussedIssue.open()).get(id))).toBe('discussion.not_found'),
  );

  it('are not found on another issue', async () => {
    const [issue, other] = [await DiscussedIssue.open(), await DiscussedIssue.open()];
    const { id } = await issue.begin('x');
    expect(await codeOf(other.get(id))).toBe('discussion.not_found');
    expect(await codeOf(other.reply(id, 'x'))).toBe('discussion.not_found');
  });
});

describe('a note of a discussion', () => {
  it('is read, changed and removed by its author or a maintainer, in its discussion only', async () => {
    const issue = await DiscussedIssue.open();
    const { id, notes } = await issue.begin('x');
    const other = await issue.begin('y');
    const one = { ...issue.on, discussion_id: id, note_id: notes[0]!.id };
    const stranger = world.user();
    const { project, author } = issue;
    expect(await world.inProject(getIssueDiscussionNote, project, stranger, Guest, one)).toMatchObject({ body: 'x' });
    const update = (user: Caller, level: AccessLevel, over: object = {}) =>
      world.inProject(updateIssueDiscussionNote, project, user, level, { ...one, body: 'z', ...over });
    expect(await codeOf(update(stranger, Reporter))).toBe('common.forbidden');
    expect(await update(author, Guest)).toMatchObject({ body: 'z' });
    expect(await update(stranger, Maintainer)).toMatchObject({ body: 'z' });
    expect(await codeOf(update(author, Guest, { discussion_id: other.id }))).toBe('discussion.not_found');
    expect(await codeOf(world.inProject(deleteIssueDiscussionNote, project, stranger, Reporter, one))).toBe(
      'common.forbidden',
    );
  });

  it('of an issue is not resolved', async () => {
    const issue = await DiscussedIssue.open();
    const { id, notes } = await issue.begin('x');
    const one = { ...issue.on, discussion_id: id, note_id: notes[0]!.id, resolved: true };
    const answer = world.inProject(updateIssueDiscussionNote, issue.project, issue.author, Owner, one);
    expect(await codeOf(answer)).toBe('discussion.not_resolvable');
  });
});

it('returns 404 for a snippet that does not exist', async () => {
  const answer = world.inProject(createSnippetDiscussion, world.project(), world.user(), Owner, {
    snippet_id: 99_999_999,
    body: 'x',
  });
  expect(await codeOf(answer)).toBe('snippet.not_found');
});
