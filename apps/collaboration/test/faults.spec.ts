import {
  Access,
  createIssue,
  createIssueNote,
  createProjectLabel,
  deleteIssue,
  deleteIssueNote,
  getIssue,
  type InputOf,
  issueChanged,
  listIssueNotes,
  listProjectIssues,
  listProjectLabels,
  updateIssue,
} from '@moothall/contracts';
import { eventually, meetFaults, shareBetweenTests, throughFaults } from '@moothall/testing';
import { CollaborationUnderTest } from './collaboration-under-test';

meetFaults();

const world = shareBetweenTests(() => CollaborationUnderTest.start());

const { Reporter, Owner } = Access;

// What the database, NATS or Redis failed at was told as done, or was half there.
it('issues, their changes and their notes are there once when that was said, and not when it was not', async () => {
  const [project, user] = [world.project(), world.user()];
  const { client } = world.service;
  const made = await throughFaults(client, createIssue, (turn) =>
    world.inProject(createIssue, project, user, Reporter, { title: `issue ${turn}` }),
  );
  const listed = async () => {
    const input = { per_page: 100 } as InputOf<typeof listProjectIssues>;
    return (await world.inProject(listProjectIssues, project, user, Owner, input)).items;
  };
  const iids = (issues: { iid: number }[]) => issues.map(({ iid }) => iid).sort((a, b) => a - b);
  expect(new Set(iids(made)).size).toBe(made.length);
  expect(iids(await listed())).toEqual(iids(made));
  const told = (id: number) => world.service.events(issueChanged).some(({ data }) => data.issue.id === id);
  await eventually(() => made.every(({ id }) => told(id)), 'the events');

  const on = { issue_iid: made[0]!.iid };
  const labels = await throughFaults(client, createProjectLabel, (turn) =>
    world.inProject(createProjectLabel, project, user, Reporter, { name: `label ${turn}`, color: '#112233' }),
  );
  expect((await world.inProject(listProjectLabels, project, user, Reporter, {})).total).toBe(labels.length);
  const titles = await throughFaults(client, updateIssue, async (turn) => {
    const change = { ...on, title: `title ${turn}`, add_labels: ['label 0'] };
    return (await world.inProject(updateIssue, project, user, Reporter, change)).title;
  });
  expect((await world.inProject(getIssue, project, user, Reporter, on)).title).toBe(titles.at(-1));

  const notes = await throughFaults(client, createIssueNote, async (turn) => {
    const input = { ...on, body: `note ${turn}` };
    return (await world.inProject(createIssueNote, project, user, Reporter, input)) as { id: number };
  });
  const removed = await throughFaults(client, deleteIssueNote, async () => {
    const input = { ...on, body: 'soon gone' };
    const note = notes.pop() ?? (await world.inProject(createIssueNote, project, user, Reporter, input));
    await world.inProject(deleteIssueNote, project, user, Owner, { ...on, note_id: (note as { id: number }).id });
    return note;
  });
  expect(removed.length).toBeGreaterThan(0);
  const userNotes = async () => {
    const input = { ...on, per_page: 100 } as InputOf<typeof listIssueNotes>;
    const { items } = await world.inProject(listIssueNotes, project, user, Reporter, input);
    return items.filter(({ system }) => !system).map(({ id }) => id);
  };
  const expected = notes.map(({ id }) => id).sort((a, b) => a - b);
  await eventually(async () => (await userNotes()).length === expected.length, 'the notes');
  expect((await userNotes()).sort((a, b) => a - b)).toEqual(expected);
  const counted = async () => (await world.inProject(getIssue, project, user, Reporter, on)).user_notes_count;
  await eventually(async () => (await counted()) === expected.length, 'the count');

  const gone = await throughFaults(client, deleteIssue, async () => {
    const { iid } = made.pop() ?? (await world.inProject(createIssue, project, user, Reporter, { title: 'soon gone' }));
    await world.inProject(deleteIssue, project, user, Owner, { issue_iid: iid });
    return iid;
  });
  await eventually(async () => iids(await listed()).every((iid) => !gone.includes(iid)), 'the end of issues');
}, 120_000);
