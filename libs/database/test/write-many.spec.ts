import { startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import { type Connection, createConnection, mongo } from 'mongoose';
import { insertEach, isDuplicateKey, SharedWrites, writeAll, writeMany } from '../src';

let infrastructure: TestInfrastructure;
let connection: Connection;
beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
  const dbName = `${infrastructure.mongodbPrefix}_write_many`;
  connection = await createConnection(infrastructure.mongodbUri, { dbName }).asPromise();
});
afterEach(() => fail('off', {}));
afterAll(async () => {
  await connection?.close();
  await infrastructure?.stop();
});

interface Thing {
  _id: number;
  owner?: number;
  title?: string;
}
const things = (name: string) => connection.collection<Thing>(name);
const fail = (mode: unknown, data: object) =>
  connection.getClient().db('admin').command({ configureFailPoint: 'failCommand', mode, data });

/** Every way in which a whole command fails, as MongoDB and its connection fail. */
const faults = [
  ['a closed connection', { closeConnection: true }],
  ['a full disk', { errorCode: 14031 }],
  ['a node that is no longer primary', { errorCode: 10107 }],
  ['a node that shuts down', { errorCode: 11600 }],
  [
    'a write that is not safe on a majority',
    { writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' } },
  ],
] as const;

// The driver's error for a whole command names no statement, and that was read as "nothing failed".
describe.each(faults)('%s', (_, fault) => {
  it.each(['insert', 'update'])('fails all callers if the command does not %s', async (command) => {
    const collection = things(`${command}s`);
    await fail({ times: 1 }, { failCommands: [command], ...fault });
    const statements =
      command === 'insert'
        ? [{ insertOne: { document: { _id: 1 } } }]
        : [{ updateOne: { filter: { _id: 1 }, update: { $set: { title: 'x' } } } }];
    await expect(writeMany(collection, statements)).rejects.toThrow();
  });

  it('rejects each caller of that turn', async () => {
    const writes = new SharedWrites(connection);
    await fail({ times: 2 }, { failCommands: ['insert', 'update'], ...fault });
    const outcomes = await Promise.allSettled([
      writes.insertOnce('shared', [{ _id: 1 }]),
      writes.insertOnce('shared', [{ _id: 2 }]),
      writes.update('shared', 1, { $set: { title: 'x' } } as object),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });
});

it('passes on lost connections, and the code of a server error', async () => {
  const document = { insertOne: { document: { _id: 1 } } };
  await fail({ times: 1 }, { failCommands: ['insert'], closeConnection: true });
  await expect(writeMany(things('kinds'), [document])).rejects.toBeInstanceOf(mongo.MongoNetworkError);
  await fail({ times: 1 }, { failCommands: ['insert'], errorCode: 14031 });
  await expect(writeMany(things('kinds'), [document])).rejects.toMatchObject({ code: 14031 });
});

it('reports the refused statements, and the index of each', async () => {
  const collection = things('refused');
  await collection.createIndex({ owner: 1, title: -1 }, { unique: true });
  await collection.insertOne({ _id: 1, owner: 5, title: 'dup key: { owner: 1 }' });
  const failures = await insertEach(collection, [
    { _id: 2, owner: 6 },
    { _id: 1, owner: 7 },
    { _id: 3, owner: 5, title: 'dup key: { owner: 1 }' },
  ]);
  expect([...failures.keys()]).toEqual([1, 2]);
  expect(isDuplicateKey(failures.get(1), '_id')).toBe(true);
  expect(failures.get(2)!.keyPattern).toEqual({ owner: 1, title: -1 });
  expect(await collection.countDocuments()).toBe(2);
});

it('writes what is possible, and throws the first refusal if all were required', async () => {
  const collection = things('all');
  await collection.insertMany([{ _id: 1, title: 'words' }, { _id: 2 }]);
  const more = (_id: number) => ({ updateOne: { filter: { _id }, update: { $inc: { title: 1 } as never } } });
  await expect(writeAll(collection, [more(1), more(2)])).rejects.toMatchObject({ code: 14 });
  expect(await collection.findOne({ _id: 2 })).toMatchObject({ title: 1 });
  await writeAll(collection, []);
});
