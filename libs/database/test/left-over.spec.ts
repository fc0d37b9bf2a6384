import { type EventRecord, groupChanged } from '@moothall/contracts';
import { startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import type { EventPublisher } from '@moothall/messaging';
import { type Connection, createConnection, Schema } from 'mongoose';
import { eachLeftOver, heldIn, newEvent, Outbox, outboxed } from '../src';

interface Holder {
  _id: number;
  outbox: EventRecord[];
}

let infrastructure: TestInfrastructure;
let connection: Connection;
const commands: string[] = [];

/** Few of many documents have pending work; the collection of `Unwritten` does not exist. */
const names = ['Oak', 'Elm', 'Unwritten', 'Ash'];
const left = [41, 7, 300];
const event = newEvent(groupChanged, { group_id: 1, full_path: 'g', change: 'created' });
const collectionsOf = () =>
  names.filter((name) => name !== 'Unwritten').map((name) => connection.model(name).collection);

/** By the ids: a whole collection is not read here. */
const everyOne = { _id: { $gte: 0 as never } };

beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
  const dbName = `${infrastructure.mongodbPrefix}_left`;
  const options = { dbName, autoIndex: false, monitorCommands: true };
  connection = await createConnection(infrastructure.mongodbUri, options).asPromise();
  connection.model('Other', new Schema({ _id: Number }));
  for (const name of names) {
    const schema = new Schema({ _id: Number }, { autoCreate: false }).plugin(outboxed);
    connection.model(name, schema);
  }
  for (const collection of collectionsOf()) {
    await collection.createIndex({ 'outbox.id': 1 }, { sparse: true });
    await collection.insertMany(Array.from({ length: 500 }, (_, _id) => ({ _id: _id as never })));
  }
  connection.getClient().on('commandStarted', ({ commandName }) => commands.push(commandName));
});
beforeEach(async () => {
  for (const collection of collectionsOf())
    await collection.updateMany(
      { _id: { $in: left as never[] } },
      { $set: { outbox: [event, { ...event, id: 'x' }] } },
    );
  commands.length = 0;
});
afterAll(async () => {
  await connection?.close();
  await infrastructure?.stop();
});

const found: string[] = [];
beforeEach(() => {
  found.length = 0;
});
const all = ['oaks', 'elms', 'ashes'].flatMap((name) => [7, 41, 300].map((id) => `${name} ${id}`));

/** The names of all pending work. */
const parts = (work: (name: string) => void = () => {}) =>
  heldIn<Holder>(connection, 'outbox', ({ collection }) => async ({ _id, outbox }) => {
    expect(outbox).toEqual([event, { ...event, id: 'x' }]);
    const name = `${collection.collectionName} ${_id}`;
    found.push(name);
    work(name);
  });

describe('pending follow-up work', () => {
  it('is found with one command in all collections, by their indexes, each document once', async () => {
    await eachLeftOver(connection, parts());
    expect(found.sort()).toEqual([...all].sort());
    expect(commands).toEqual(['aggregate']);
    expect(infrastructure.scans()).toEqual([]);
  });

  it('is handled one by one: a failure is reported, and does not stop the others', async () => {
    const fails = (name: string) => {
      if (name.startsWith('elms')) throw new Error(`no ${name}`);
    };
    await expect(eachLeftOver(connection, parts(fails))).rejects.toThrow('3 failed, the first: Error: no elms');
    expect(found).toHaveLength(all.length);
  });

  it('stays pending if the run is aborted', async () => {
    const ending = new AbortController();
    await eachLeftOver(
      connection,
      parts(() => ending.abort()),
      ending.signal,
    );
    expect(found).toHaveLength(1);
  });

  it('is read in batches, for any number', async () => {
    for (const collection of collectionsOf()) await collection.updateMany(everyOne, { $set: { outbox: [event] } });
    commands.length = 0;
    const ids = new Set<string>();
    const note = heldIn<Holder>(connection, 'outbox', ({ modelName }) => async ({ _id }) => {
      ids.add(`${modelName} ${_id}`);
    });
    await eachLeftOver(connection, note);
    expect(ids.size).toBe(1500);
    expect(commands.slice(0, 2)).toEqual(['aggregate', 'getMore']);
    for (const collection of collectionsOf()) await collection.updateMany(everyOne, { $unset: { outbox: 1 } });
  });

  it('is not queried without collections', async () => {
    await eachLeftOver(connection, []);
    expect(commands).toEqual([]);
  });
});

describe('a turn of the outbox', () => {
  const published: string[] = [];
  const publisher = { publish: async ({ id }: EventRecord) => void published.push(id) };
  const outbox = () => new Outbox(connection, publisher as unknown as EventPublisher);

  it('is one command, and reads no whole collection but that of removals', async () => {
    await outbox().recover();
    expect(published).toHaveLength(2 * all.length);
    commands.length = 0;
    await outbox().recover();
    expect(commands).toEqual(['aggregate']);
    expect(infrastructure.scans().filter(({ namespace }) => !namespace.endsWith('.removals'))).toEqual([]);
  });

  it('finds deletions if no other document holds events', async () => {
    const { mongodbUri, mongodbPrefix } = infrastructure;
    const bare = await createConnection(mongodbUri, { dbName: `${mongodbPrefix}_bare` }).asPromise();
    const removal = { _id: 'r' as never, collection: 'items', recordId: 1, events: [event] };
    await bare.collection('items').insertOne({ _id: 1 as never });
    await bare.collection('removals').insertOne(removal);
    const ofBare = new Outbox(bare, publisher as unknown as EventPublisher);
    await ofBare.recover();
    expect(await bare.collection('items').countDocuments()).toBe(1);
    await ofBare.recover();
    expect(await bare.collection('items').countDocuments()).toBe(0);
    expect(await bare.collection('removals').countDocuments()).toBe(0);
    await bare.close();
  });
});
