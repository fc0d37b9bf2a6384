import {
  Access,
  createIssue,
  createIssueNote,
  errorTable,
  getIssue,
  type InputOf,
  listIssueLabelEvents,
  listIssueNotes,
  updateIssue,
} from '@moothall/contracts';
import { SharedWrites } from '@moothall/database';
import { EventPublisher } from '@moothall/messaging';
import {
  type DatabaseFault,
  databaseFaults,
  eventually,
  FailPoint,
  itWithoutFaults,
  shareBetweenTests,
} from '@moothall/testing';
import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, createConnection } from 'mongoose';
import { Journal } from '../src/journal/journal';
import { CollaborationUnderTest } from './collaboration-under-test';

const world = shareBetweenTests(() => CollaborationUnderTest.start());

const { Reporter } = Access;

describe('follow-up writes of a change', () => {
  it('are done once if the service stopped before or after the insert', async () => {
    const [project, user] = [world.project(), world.user()];
    const { iid } = await world.inProject(createIssue, project, user, Reporter, { title: 'One', labels: ['bug'] });
    const on = { issue_iid: iid };
    await world.inProject(updateIssue, project, user, Reporter, { ...on, title: 'Two', remove_labels: ['bug'] });
    const connection = world.service.running.app.get<Connection>(getConnectionToken());
    const [events, notes, issues] = ['label_events', 'notes', 'issues'].map((name) => connection.collection(name));
    const issue = (await issues!.findOne({ projectId: project.id, iid }))!;
    const written = await events!.find({ resourceType: 'Issue', resourceId: issue._id as never }).toArray();
    const [note] = await notes!.find({ noteableType: 'Issue', noteableId: issue._id as never }).toArray();
    expect(written).toHaveLength(2);
    const isSettled = async () => (await issues!.findOne({ _id: issue._id }))?.journal.length === 0;
    // Entries of the change must be removed first: the removal would include those that the test adds.
    await eventually(isSettled);
    // The state after a crash: all entries are in the issue, and some of them were inserted.
    const entry = (collection: string, record: { _id: unknown }) => ({
      id: `${collection}/${record._id}`,
      collection,
      record,
    });
    const journal = [...written.map((record) => entry('label_events', record)), entry('notes', note!)];
    await events!.deleteOne({ _id: written[1]!._id });
    await notes!.deleteOne({ _id: note!._id });
    await issues!.updateOne({ _id: issue._id }, { $set: { journal } });

    await world.service.running.app.get(Journal, { strict: false }).recover();

    const list = { ...on, sort: 'asc' } as InputOf<typeof listIssueNotes>;
    await eventually(isSettled);
    const after = await world.inProject(listIssueLabelEvents, project, user, Reporter, on);
    expect(after.items.map(({ action }) => action)).toEqual(['add', 'remove']);
    expect((await world.inProject(listIssueNotes, project, user, Reporter, list)).total).toBe(1);
    expect((await issues!.findOne({ _id: issue._id }))?.journal).toEqual([]);
  });
});

it('follow-up writes are found with one command in all collections', async () => {
  const ours = world.service.running.app.get<Connection>(getConnectionToken());
  const options = { dbName: ours.name, monitorCommands: true, autoIndex: false, autoCreate: false };
  const own = createConnection(world.service.env.MONGODB_URI!, options);
  for (const { modelName, schema } of Object.values(ours.models)) own.model(modelName, schema);
  const reads: string[] = [];
  const connection = await own.asPromise();
  connection.getClient().on('commandStarted', ({ commandName, command }) => {
    if (['find', 'aggregate', 'getMore'].includes(commandName)) reads.push(`${commandName} ${command[commandName]}`);
  });
  const publisher = world.service.running.app.get(EventPublisher, { strict: false });
  await new Journal(connection, publisher, new SharedWrites(connection)).recover();
  await connection.close();
  expect(reads).toEqual([expect.stringMatching(/^aggregate /)]);
});

// A failure of the database must not be answered as success.
describe('a note that is acknowledged', () => {
  itWithoutFaults.each(Object.keys(databaseFaults) as DatabaseFault[])('is stored, also with a %s', async (fault) => {
    const [project, user] = [world.project(), world.user()];
    const { iid } = await world.inProject(createIssue, project, user, Reporter, { title: 'One' });
    const point = await FailPoint.open(world.service.env.MONGODB_URI!);
    let acknowledged = 0;
    let isMet = true;
    let skip = 0;
    for (; isMet; skip++) {
      await point.set(fault, skip);
      const body = `note ${skip}`;
      const answer = world.inProject(createIssueNote, project, user, Reporter, { issue_iid: iid, body });
      const isTold = await answer.then(
        () => true,
        () => false,
      );
      isMet = await point.clear();
      if (isTold) acknowledged++;
      else expect(isMet).toBe(true);
    }
    await point.close();
    // Two failures are needed at least, for the count and the note; the last round had none.
    expect(skip).toBeGreaterThan(2);
    const input = { issue_iid: iid, sort: 'asc' } as InputOf<typeof listIssueNotes>;
    // A write that was not replicated is refused, and may exist: then with note and count.
    const isMeant = (total = 0) => (fault === 'not replicated' ? total >= acknowledged : total === acknowledged);
    await eventually(async () => {
      const { total } = await world.inProject(listIssueNotes, project, user, Reporter, input);
      const issue = await world.inProject(getIssue, project, user, Reporter, { issue_iid: iid });
      return isMeant(total) && issue.user_notes_count === total;
    });
  });
});

// A full disk of the database must have its own error.
itWithoutFaults('a full disk is reported as such', async () => {
  const [project, user] = [world.project(), world.user()];
  const point = await FailPoint.open(world.service.env.MONGODB_URI!);
  const { name } = world.service.running.app.get<Connection>(getConnectionToken());
  // Entries of earlier tests are still being removed, and ids are reserved: these would meet the fault instead.
  await point.set('full disk', 0, { failCommands: ['insert'], namespace: `${name}.issues` });
  const answer = world.inProject(createIssue, project, user, Reporter, { title: 'One' });
  await expect(answer).rejects.toMatchObject({ value: { code: 'common.disk_full' } });
  await point.close();
  expect(errorTable.get('common.disk_full')!.status).toBe(507);
});
