import {
  Access,
  createIssue,
  createIssueNote,
  deleteIssueNote,
  getIssue,
  type InputOf,
  listIssueNotes,
} from '@moothall/contracts';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { getConnectionToken } from '@nestjs/mongoose';
import fc from 'fast-check';
import type { Connection } from 'mongoose';
import { CollaborationUnderTest } from './collaboration-under-test';

const world = shareBetweenTests(() => CollaborationUnderTest.start());

const { Reporter, Owner } = Access;
const atOnce = 20;
type Change = { issue: number; author: number; kind: 'add' | 'delete' };

const change: fc.Arbitrary<Change> = fc.record({
  issue: fc.nat({ max: 2 }),
  author: fc.nat({ max: 2 }),
  kind: fc.constantFrom('add', 'delete'),
});

// Regression: a note that was added while another one was deleted was not counted.
describe('user_notes_count', () => {
  it('is right after a thousand random changes, twenty of them concurrent', async () => {
    const changes = fc.array(fc.array(change, { minLength: atOnce, maxLength: atOnce }), {
      minLength: 25,
      maxLength: 25,
    });
    await fc.assert(fc.asyncProperty(changes, checkCounts), { numRuns: 2, endOnFailure: true });
  }, 240_000);

  it('is repaired after a stop, or a failure of the database, between a deletion and its count', async () => {
    const [project, user] = [world.project(), world.user()];
    const { iid, id } = await world.inProject(createIssue, project, user, Reporter, { title: 'One' });
    const note = await world.inProject(createIssueNote, project, user, Reporter, { issue_iid: iid, body: 'one' });
    const connection = world.service.running.app.get<Connection>(getConnectionToken());
    const _id = id as never;
    const read = () => connection.collection('issues').findOne({ _id });
    await eventually(async () => (await read())?.journal.length === 0);
    // The state after a crash.
    const duty = { id: 'duty/1', duty: 'recount notes', at: 0 };
    await connection.collection('notes').deleteOne({ _id: (note as { id: number }).id as never });
    await connection.collection('issues').updateOne({ _id }, { $push: { journal: duty } } as never);
    await eventually(async () => (await read())?.userNotesCount === 0, 'the count');
    await eventually(async () => (await read())?.journal.length === 0, 'an empty journal');
  });
});

async function checkCounts(turns: Change[][]): Promise<void> {
  const project = world.project();
  const authors = [world.user(), world.user(), world.user()];
  const iids = await Promise.all(
    [0, 1, 2].map((n) => world.inProject(createIssue, project, authors[0], Reporter, { title: `issue ${n}` })),
  );
  const notes: { iid: number; id: number }[] = [];
  const does = async ({ issue, author, kind }: Change): Promise<void> => {
    const { iid } = iids[issue]!;
    const victim = kind === 'delete' ? notes.findIndex((note) => note.iid === iid) : -1;
    if (victim >= 0) {
      const { id } = notes.splice(victim, 1)[0]!;
      await world.inProject(deleteIssueNote, project, authors[author], Owner, { issue_iid: iid, note_id: id });
      return;
    }
    const input = { issue_iid: iid, body: 'words' };
    const { id } = (await world.inProject(createIssueNote, project, authors[author], Reporter, input)) as {
      id: number;
    };
    notes.push({ iid, id });
  };
  for (const turn of turns) await Promise.all(turn.map(does));
  for (const { iid } of iids) await expectRight(project, authors[0]!, iid);
}

async function expectRight(
  ...[project, user, iid]: [
    ReturnType<CollaborationUnderTest['project']>,
    ReturnType<CollaborationUnderTest['user']>,
    number,
  ]
) {
  const input = { issue_iid: iid, per_page: 1 } as InputOf<typeof listIssueNotes>;
  const { total } = await world.inProject(listIssueNotes, project, user, Reporter, input);
  const { user_notes_count } = await world.inProject(getIssue, project, user, Reporter, { issue_iid: iid });
  expect(user_notes_count).toBe(total);
}
