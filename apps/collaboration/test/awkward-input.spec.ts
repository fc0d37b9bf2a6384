import {
  Access,
  createIssue,
  createIssueNote,
  getIssue,
  getIssueNote,
  type InputOf,
  listEpics,
  listIssueLabelEvents,
  listProjectIssues,
  listProjectMergeRequests,
  listProjectMilestones,
  updateIssue,
} from '@moothall/contracts';
import { shareBetweenTests } from '@moothall/testing';
import { CollaborationUnderTest } from './collaboration-under-test';

const world = shareBetweenTests(() => CollaborationUnderTest.start());

const { Reporter } = Access;
const setting = () => ({ project: world.project(), user: world.user() });
type Setting = ReturnType<typeof setting>;
const open = ({ project, user }: Setting, input: object = {}) =>
  world.inProject(createIssue, project, user, Reporter, { title: 'An issue', ...input });
const update = ({ project, user }: Setting, issue_iid: number, input: object) =>
  world.inProject(updateIssue, project, user, Reporter, { issue_iid, ...input });
const read = ({ project, user }: Setting, issue_iid: number) =>
  world.inProject(getIssue, project, user, Reporter, { issue_iid });

describe('concurrent updates of one issue', () => {
  it('are all stored, for any fields', async () => {
    const here = setting();
    const { iid } = await open(here, { labels: ['a', 'b', 'c', 'd'] });
    await Promise.all([
      update(here, iid, { title: 'Another title' }),
      update(here, iid, { add_labels: ['e'] }),
      update(here, iid, { remove_labels: ['a'] }),
      update(here, iid, { description: 'Words' }),
      update(here, iid, { add_labels: ['f'], remove_labels: ['b'] }),
      update(here, iid, { due_date: '2030-01-31' }),
      world.inProject(createIssueNote, here.project, here.user, Reporter, { issue_iid: iid, body: 'Hear' }),
      update(here, iid, { confidential: true }),
    ]);
    const after = await read(here, iid);
    expect({ ...after, labels: [...after.labels].sort() }).toMatchObject({
      title: 'Another title',
      labels: ['c', 'd', 'e', 'f'],
      description: 'Words',
      due_date: '2030-01-31',
      confidential: true,
      user_notes_count: 1,
    });
    const events = await world.inProject(listIssueLabelEvents, here.project, here.user, Reporter, { issue_iid: iid });
    const given = events.items.map(({ action, label }) => `${action} ${label?.name}`).sort();
    expect(given).toEqual([...'abcdef'].map((name) => `add ${name}`).concat('remove a', 'remove b'));
  });

  it('end with every label while others are added and removed', async () => {
    const here = setting();
    const gone = ['g1', 'g2', 'g3', 'g4'];
    const { iid } = await open(here, { labels: gone });
    const come = ['n1', 'n2', 'n3', 'n4'];
    await Promise.all([
      ...gone.map((name) => update(here, iid, { remove_labels: [name] })),
      ...come.map((name) => update(here, iid, { add_labels: [name] })),
    ]);
    expect([...(await read(here, iid)).labels].sort()).toEqual(come);
  });
});

describe('text of all kinds', () => {
  it.each([
    ['overrides of direction', 'safe\u202Etxt.exe\u202C \u2066isolated\u2069'],
    ['characters of four bytes', '😀𝒳\u{10FFFF}'],
    ['several code points for one character', 'e\u0301 👩‍👩‍👧‍👦'],
    ['what looks like a query', '{"$gt": ""} $where .dot __proto__'],
  ])('is stored unchanged: %s', async (_, text) => {
    const here = setting();
    const { iid } = await open(here, { title: text, description: text, labels: [text] });
    const on = { issue_iid: iid };
    const note = await world.inProject(createIssueNote, here.project, here.user, Reporter, { ...on, body: text });
    expect(await read(here, iid)).toMatchObject({ title: text, description: text, labels: [text] });
    const { id: note_id } = note as { id: number };
    const stored = await world.inProject(getIssueNote, here.project, here.user, Reporter, { ...on, note_id });
    expect(stored).toMatchObject({ body: text });
    const found = await world.inProject(listProjectIssues, here.project, here.user, Reporter, { labels: [text] });
    expect(found.items.map((issue) => issue.iid)).toEqual([iid]);
  });

  it.each(['half \ud800 of one', '\udfff'])('is refused if it contains half a surrogate pair: %j', (text) => {
    const given = { title: text, description: text };
    const fields = createIssue.input.safeParse({ id: '1', ...given }).error?.issues.map(({ path }) => path[0]);
    expect(fields?.sort()).toEqual(['description', 'title']);
    expect(createIssueNote.input.safeParse({ id: '1', issue_iid: 1, body: text }).success).toBe(false);
  });
});

describe('records that do not exist', () => {
  it.each(['2026-02-30', '2026-13-01', '2025-02-29', 'soon'])('is no day to be due: %s', (due_date) => {
    const { success } = createIssue.input.safeParse({ id: '1', title: 'x', due_date });
    expect(success).toBe(false);
  });
});

describe('lists narrowed by ten thousand iids', () => {
  const iids = Array.from({ length: 10_000 }, (_, at) => at + 1);

  it('answer those that there are', async () => {
    const here = setting();
    const made = [await open(here), await open(here), await open(here)];
    const ask = (input: Omit<InputOf<typeof listProjectIssues>, 'id'>) =>
      world.inProject(listProjectIssues, here.project, here.user, Reporter, input);
    const page = await ask({ iids, sort: 'asc' });
    expect([page.items.map(({ iid }) => iid), page.total]).toEqual([made.map(({ iid }) => iid), 3]);
    expect((await ask({ not: { iids } })).total).toBe(0);
    const empty = { items: [], total: 0 };
    const asked = [here.project, here.user, Reporter, { iids }] as const;
    expect(await world.inProject(listProjectMergeRequests, ...asked)).toMatchObject(empty);
    expect(await world.inProject(listProjectMilestones, ...asked)).toMatchObject(empty);
    expect(await world.inGroup(listEpics, world.group(), here.user, Reporter, { iids })).toMatchObject(empty);
  });

  it('return an empty page for an unknown label', async () => {
    const here = setting();
    await open(here, { labels: ['known'] });
    const page = await world.inProject(listProjectIssues, here.project, here.user, Reporter, { labels: ['unknown'] });
    expect(page).toMatchObject({ items: [], total: 0 });
  });
});
