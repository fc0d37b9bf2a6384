import {
  Access,
  type Caller,
  createIssue,
  createIssueNote,
  deleteIssueNote,
  getIssue,
  getIssueNote,
  listIssueNotes,
  type Note,
  noteCreated,
  noteDeleted,
  type ProjectRef,
  updateIssue,
  updateIssueNote,
} from '@moothall/contracts';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { CollaborationUnderTest } from './collaboration-under-test';

const world = shareBetweenTests(() => CollaborationUnderTest.start());

const { None, Guest, Reporter, Maintainer, Owner } = Access;
type NoteInput = { issue_iid: number; body: string; confidential?: boolean; created_at?: string };
type Level = (typeof Access)[keyof typeof Access];

async function issueIn(project: ProjectRef, author: Caller, input: object = {}): Promise<{ issue_iid: number }> {
  const { iid } = await world.inProject(createIssue, project, author, Reporter, { title: 'One', ...input });
  return { issue_iid: iid };
}

const write = (project: ProjectRef, user: Caller, level: Level, input: NoteInput) =>
  world.inProject(createIssueNote, project, user, level, input) as Promise<Note>;

describe('notes of an issue', () => {
  it('are written, counted and shown', async () => {
    const [project, user] = [world.project(), world.user()];
    const on = await issueIn(project, user);
    const note = await write(project, user, Guest, { ...on, body: 'Hello' });
    expect(note).toMatchObject({
      body: 'Hello',
      author: { id: user.id, email: user.email },
      system: false,
      noteable_type: 'Issue',
      noteable_iid: on.issue_iid,
      project_id: project.id,
      confidential: false,
      resolvable: false,
      attachment: null,
    });
    expect(await world.inProject(getIssueNote, project, user, Guest, { ...on, note_id: note.id })).toEqual(note);
    const issue = await world.inProject(getIssue, project, user, Guest, on);
    expect(issue.user_notes_count).toBe(1);
    expect(issue.updated_at).toBe(note.created_at);
    const event = await eventually(() =>
      world.service.events(noteCreated).find(({ data }) => data.note.id === note.id),
    );
    expect(event.data).toMatchObject({ project_id: project.id, note: { body: 'Hello', noteable_type: 'Issue' } });
    expect(event.data.note.insider_ids).toBeUndefined();
  });

  it('list the readers of a confidential issue in their event', async () => {
    const [project, user, assignee] = [world.project(), world.user(), world.user()];
    world.join(assignee, project, Guest);
    const on = await issueIn(project, user, { confidential: true, assignee_ids: [assignee.id] });
    const note = await write(project, user, Guest, { ...on, body: 'Hidden' });
    const { data } = await eventually(() =>
      world.service.events(noteCreated).find((event) => event.data.note.id === note.id),
    );
    expect(data.note).toMatchObject({ confidential: false, insider_ids: [user.id, assignee.id] });
  });

  it('are confidential if a command in them makes the issue confidential', async () => {
    const [project, user] = [world.project(), world.user()];
    const on = await issueIn(project, user);
    const note = await write(project, user, Reporter, { ...on, body: 'Hidden\n/confidential' });
    const { data } = await eventually(() =>
      world.service.events(noteCreated).find((event) => event.data.note.id === note.id),
    );
    expect(data.note).toMatchObject({ body: 'Hidden', insider_ids: [user.id] });
  });

  it('hide the email address of their author', async () => {
    const [project, user] = [world.project(), world.user()];
    const on = await issueIn(project, user);
    const { id } = await write(project, user, Guest, { ...on, body: 'Hello' });
    const seen = async (viewer: Caller) =>
      (await world.inProject(getIssueNote, project, viewer, Guest, { ...on, note_id: id })).author.email;
    expect(await seen(world.user())).toBeNull();
    expect(await seen(world.user({ isAdmin: true }))).toBe(user.email);
  });

  it('are all counted under concurrent requests', async () => {
    const [project, user] = [world.project(), world.user()];
    const on = await issueIn(project, user);
    const written = await Promise.all(
      Array.from({ length: 20 }, (_, at) => write(project, user, Guest, { ...on, body: `Note ${at}` })),
    );
    expect(new Set(written.map(({ id }) => id)).size).toBe(20);
    await Promise.all(
      written
        .slice(0, 5)
        .map(({ id }) => world.inProject(deleteIssueNote, project, user, Guest, { ...on, note_id: id })),
    );
    expect((await world.inProject(getIssue, project, user, Guest, on)).user_notes_count).toBe(15);
    const { total } = await world.inProject(listIssueNotes, project, user, Guest, on);
    expect(total).toBe(15);
  });

  it('must not be blank or too long, counted in characters', async () => {
    const [project, user] = [world.project(), world.user()];
    const on = await issueIn(project, user);
    await expect(write(project, user, Guest, { ...on, body: ' \n' })).rejects.toMatchObject({
      value: { code: 'note.blank' },
    });
    const body = '😀'.repeat(1_000_000);
    expect((await write(project, user, Guest, { ...on, body })).body).toBe(body);
    expect(createIssueNote.input.safeParse({ id: '1', ...on, body: `${body}a` }).error?.issues[0]?.message).toBe(
      'is too long (maximum is 1000000 characters)',
    );
    expect(createIssueNote.input.safeParse({ id: '1', ...on, body: 'half \ud800' }).success).toBe(false);
  });

  it('store text unchanged', async () => {
    const [project, user] = [world.project(), world.user()];
    const on = await issueIn(project, user);
    const body = '\u202Eright to left, 𝒳 and 👩‍👩‍👧, \ttab\r\n  spaces  ';
    expect((await write(project, user, Guest, { ...on, body })).body).toBe(body);
  });

  it('are dated by owners only', async () => {
    const [project, user] = [world.project(), world.user()];
    const on = { ...(await issueIn(project, user)), body: 'Long ago', created_at: '2020-01-02T03:04:05Z' };
    const byOwner = await write(project, user, Owner, on);
    expect(byOwner).toMatchObject({ created_at: '2020-01-02T03:04:05.000Z', updated_at: '2020-01-02T03:04:05.000Z' });
    expect((await write(project, user, Reporter, on)).created_at > '2021').toBe(true);
  });

  it('are changed by author and maintainer, and system notes by nobody', async () => {
    const [project, user, other] = [world.project(), world.user(), world.user()];
    const on = await issueIn(project, user);
    const { id, updated_at } = await write(project, user, Guest, { ...on, body: 'First' });
    const change = (by: Caller, level: Level, note_id = id) =>
      world.inProject(updateIssueNote, project, by, level, { ...on, note_id, body: `by ${by.username}` });
    await expect(change(other, Reporter)).rejects.toMatchObject({ value: { code: 'common.forbidden' } });
    const changed = await change(other, Maintainer);
    expect(changed).toMatchObject({ body: `by ${other.username}`, author: { id: user.id } });
    expect(changed.updated_at >= updated_at).toBe(true);
    await world.inProject(updateIssue, project, user, Reporter, { ...on, title: 'Other' });
    const { items } = await world.inProject(listIssueNotes, project, user, Guest, {
      ...on,
      activity_filter: 'only_activity',
    });
    await expect(change(user, Maintainer, items[0]!.id)).rejects.toMatchObject({ value: { code: 'common.forbidden' } });
  });

  it('are removed once, by author and maintainer', async () => {
    const [project, user, other] = [world.project(), world.user(), world.user()];
    const on = await issueIn(project, user);
    const { id } = await write(project, user, Guest, { ...on, body: 'First' });
    const remove = (by: Caller, level: Level) =>
      world.inProject(deleteIssueNote, project, by, level, { ...on, note_id: id });
    await expect(remove(other, Reporter)).rejects.toMatchObject({ value: { code: 'common.forbidden' } });
    const outcomes = await Promise.allSettled([remove(user, Guest), remove(other, Maintainer)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await eventually(() => world.service.events(noteDeleted).some(({ data }) => data.note_id === id));
    expect((await world.inProject(getIssue, project, user, Guest, on)).user_notes_count).toBe(0);
  });

  it('are visible to reporters, author and assignees if confidential', async () => {
    const [project, user, guest] = [world.project(), world.user(), world.user()];
    const on = await issueIn(project, user);
    const note = await write(project, world.user(), Reporter, { ...on, body: 'Between us', confidential: true });
    expect(note.confidential).toBe(true);
    await write(project, guest, Guest, { ...on, body: 'Hello' });
    const list = async (by: Caller, level: Level) =>
      (await world.inProject(listIssueNotes, project, by, level, { ...on, sort: 'asc' })).items.map(({ body }) => body);
    expect(await list(guest, Guest)).toEqual(['Hello']);
    expect(await list(user, Guest)).toEqual(['Between us', 'Hello']);
    await expect(
      world.inProject(getIssueNote, project, guest, Guest, { ...on, note_id: note.id }),
    ).rejects.toMatchObject({ value: { code: 'common.not_found' } });
    await expect(write(project, guest, Guest, { ...on, body: 'Me too', confidential: true })).rejects.toMatchObject({
      value: { code: 'common.forbidden' },
    });
  });

  it('are for members only if the discussion is locked', async () => {
    const [project, user] = [world.project({ visibility: 'public' }), world.user()];
    const on = await issueIn(project, user, { discussion_locked: true });
    await expect(write(project, user, None, { ...on, body: 'Hello' })).rejects.toMatchObject({
      value: { code: 'common.forbidden' },
    });
    await expect(write(project, user, Guest, { ...on, body: 'Hello' })).resolves.toMatchObject({ body: 'Hello' });
  });

  it('are not found on another issue', async () => {
    const [project, user] = [world.project(), world.user()];
    const [here, there] = [await issueIn(project, user), await issueIn(project, user)];
    const { id } = await write(project, user, Guest, { ...here, body: 'Here' });
    await expect(world.inProject(getIssueNote, project, user, Guest, { ...there, note_id: id })).rejects.toMatchObject({
      value: { code: 'common.not_found' },
    });
  });

  it('of one emoji become an award, once', async () => {
    const [project, user] = [world.project(), world.user()];
    const on = await issueIn(project, user);
    const award = await world.inProject(createIssueNote, project, user, Guest, { ...on, body: ':thumbsup:' });
    expect(award).toMatchObject({ name: 'thumbsup', user: { id: user.id }, awardable_type: 'Issue', title: 'One' });
    await expect(write(project, user, Guest, { ...on, body: '👍' })).rejects.toMatchObject({
      value: { code: 'award.taken' },
    });
    expect(await world.inProject(getIssue, project, user, Guest, on)).toMatchObject({
      upvotes: 1,
      user_notes_count: 0,
    });
  });
});

describe('lists of notes', () => {
  it('are sorted newest first by default, in both orders and directions, page by page', async () => {
    const [project, user] = [world.project(), world.user()];
    const on = await issueIn(project, user);
    const written: Note[] = [];
    for (const body of ['a', 'b', 'c']) written.push(await write(project, user, Guest, { ...on, body }));
    await world.inProject(updateIssueNote, project, user, Guest, { ...on, note_id: written[0]!.id, body: 'a2' });
    const list = async (input: object) =>
      (await world.inProject(listIssueNotes, project, user, Guest, { ...on, ...input })).items.map(({ body }) => body);
    expect(await list({})).toEqual(['c', 'b', 'a2']);
    expect(await list({ sort: 'asc' })).toEqual(['a2', 'b', 'c']);
    expect(await list({ order_by: 'updated_at' })).toEqual(['a2', 'c', 'b']);
    expect(await list({ page: 2, per_page: 2 })).toEqual(['a2']);
    expect(await list({ activity_filter: 'only_activity' })).toEqual([]);
  });

  it('are paged by keyset, each note once, also with equal times', async () => {
    const [project, user] = [world.project(), world.user()];
    const on = await issueIn(project, user);
    const at = '2020-01-02T03:04:05Z';
    for (const body of ['a', 'b', 'c', 'd', 'e']) await write(project, user, Owner, { ...on, body, created_at: at });
    const seen: string[] = [];
    let page_token: string | undefined;
    do {
      const page = await world.inProject(listIssueNotes, project, user, Guest, {
        ...on,
        pagination: 'keyset',
        per_page: 2,
        page_token,
      });
      expect(page.total).toBeUndefined();
      seen.push(...page.items.map(({ body }) => body));
      page_token = page.next?.page_token as string | undefined;
    } while (page_token);
    expect(seen).toEqual(['e', 'd', 'c', 'b', 'a']);
    await expect(
      world.inProject(listIssueNotes, project, user, Guest, { ...on, pagination: 'keyset', page_token: 'x' }),
    ).rejects.toMatchObject({ value: { message: 'page_token is invalid' } });
  });
});

describe('quick actions', () => {
  it('change the issue, and create no note if there is no other text', async () => {
    const [project, user] = [world.project({ visibility: 'public' }), world.user()];
    const on = await issueIn(project, user, { labels: ['ui'] });
    const body = `/assign @${user.username}\n/unlabel ~ui\n/due 2020-10-15\n/title Better\n/estimate 1h\n/close`;
    const reply = await world.inProject(createIssueNote, project, user, Reporter, { ...on, body });
    expect(reply).toMatchObject({ commands_changes: { state_event: 'close', title: 'Better' } });
    expect(await world.inProject(getIssue, project, user, Reporter, on)).toMatchObject({
      title: 'Better',
      state: 'closed',
      labels: [],
      due_date: '2020-10-15',
      assignees: [{ id: user.id }],
      user_notes_count: 0,
      time_stats: { time_estimate: 3600 },
    });
  });

  it('are removed from a longer note', async () => {
    const [project, user] = [world.project(), world.user()];
    const on = await issueIn(project, user);
    const note = await write(project, user, Reporter, { ...on, body: 'Done.\n/close' });
    expect(note).toMatchObject({ body: 'Done.', commands_changes: { state_event: 'close' } });
    expect((await world.inProject(getIssue, project, user, Reporter, on)).state).toBe('closed');
  });

  it('are refused if the caller may not run them, or if their argument is missing', async () => {
    const [project, user, guest] = [world.project(), world.user(), world.user()];
    const on = await issueIn(project, user);
    for (const [by, level, body] of [
      [guest, Guest, '/close'],
      [user, Reporter, '/label ~"no such label"'],
      [user, Reporter, '/due tomorrow or so'],
    ] as const) {
      await expect(write(project, by, level, { ...on, body })).rejects.toMatchObject({
        value: { code: 'note.commands_failed' },
      });
    }
    expect((await world.inProject(getIssue, project, user, Reporter, on)).state).toBe('opened');
  });
});
