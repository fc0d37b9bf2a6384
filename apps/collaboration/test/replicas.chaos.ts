import path from 'node:path';
import {
  Access,
  createIssue,
  createIssueNote,
  getIssue,
  type InputOf,
  issueChanged,
  listIssueNotes,
  listProjectIssues,
} from '@moothall/contracts';
import {
  eventually,
  listAll,
  startTwoReplicas,
  type TestBed,
  type TwoReplicas,
  writeUnderLoad,
} from '@moothall/testing';
import { CollaborationUnderTest } from './collaboration-under-test';

let two: TwoReplicas;
let world: CollaborationUnderTest<TestBed>;
beforeAll(async () => {
  two = await startTwoReplicas(path.resolve(__dirname, '..'), {}, (bed) => {
    world = new CollaborationUnderTest(bed);
  });
}, 120_000);
afterAll(() => two?.stop());

const { Reporter } = Access;

it('issues and notes exist once, and are counted, if one of two replicas is killed under load', async () => {
  const [project, user] = [world.project(), world.user()];
  const { iid } = await world.inProject(createIssue, project, user, Reporter, { title: 'the first' });
  const write = async (number: number) => {
    const name = `${number}`;
    if (number % 2 === 0) await world.inProject(createIssue, project, user, Reporter, { title: name });
    else await world.inProject(createIssueNote, project, user, Reporter, { issue_iid: iid, body: name });
    return name;
  };
  const { acknowledged, unknown } = await writeUnderLoad({ write, interrupt: () => two.replicas[0].kill(), each: 50 });

  const issues = await listAll((page) => world.inProject(listProjectIssues, project, user, Reporter, page as never));
  const on = { issue_iid: iid };
  const notes = await listAll((page) =>
    world.inProject(listIssueNotes, project, user, Reporter, { ...on, ...page } as InputOf<typeof listIssueNotes>),
  );
  const stored = [...issues.map(({ title }) => title), ...notes.map(({ body }) => body)];
  expect(new Set(stored).size).toBe(stored.length);
  expect(stored).toEqual(expect.arrayContaining(acknowledged));
  expect(stored.length).toBeLessThanOrEqual(1 + acknowledged.length + unknown.length);
  expect(new Set(issues.map((issue) => issue.iid)).size).toBe(issues.length);
  const isCounted = async () =>
    (await world.inProject(getIssue, project, user, Reporter, on)).user_notes_count === notes.length;
  await eventually(isCounted, 'the count of notes', 30_000);
  const areAllPublished = () =>
    new Set(two.events(issueChanged).map(({ data }) => data.issue.id)).size === issues.length;
  await eventually(areAllPublished, 'the events of all issues', 30_000);
}, 120_000);
