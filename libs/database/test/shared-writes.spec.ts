import { startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import { type Connection, createConnection } from 'mongoose';
import { SharedWrites } from '../src';

let infrastructure: TestInfrastructure;
let connection: Connection;
let writes: SharedWrites;
beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
  const dbName = `${infrastructure.mongodbPrefix}_shared_writes`;
  connection = await createConnection(infrastructure.mongodbUri, { dbName }).asPromise();
  writes = new SharedWrites(connection);
});
afterAll(async () => {
  await connection?.close();
  await infrastructure?.stop();
});

const records = (name: string) => connection.collection<{ _id: number; count?: number; title?: string }>(name);

describe('updates of one turn', () => {
  it('are one command, and each returns whether its document existed', async () => {
    await records('touched').insertMany([{ _id: 1 }, { _id: 2 }]);
    const command = jest.spyOn(connection.collection('touched'), 'bulkWrite');
    const more = { $inc: { count: 1 } };
    const found = await Promise.all([1, 7, 2, 1].map((id) => writes.update('touched', id, more as object)));
    expect(found).toEqual([true, false, true, true]);
    expect(command).toHaveBeenCalledTimes(1);
    expect(await records('touched').find().toArray()).toEqual([
      { _id: 1, count: 2 },
      { _id: 2, count: 1 },
    ]);
  });

  it('fail each for itself', async () => {
    await records('failing').insertMany([
      { _id: 1, title: 'words' },
      { _id: 2, title: 'words' },
    ]);
    const outcomes = await Promise.allSettled([
      writes.update('failing', 1, { $inc: { title: 1 } } as object),
      writes.update('failing', 2, { $set: { title: 'other' } } as object),
      writes.update('failing', 3, { $set: { title: 'other' } } as object),
    ]);
    expect(outcomes).toMatchObject([
      { status: 'rejected', reason: { code: 14 } },
      { status: 'fulfilled', value: true },
      { status: 'fulfilled', value: false },
    ]);
    expect(await records('failing').findOne({ _id: 2 })).toMatchObject({ title: 'other' });
  });
});

describe('updates of many documents', () => {
  it('are one command for all of a turn, and fail each for itself', async () => {
    await records('many').insertMany([
      { _id: 1, title: 'red' },
      { _id: 2, title: 'red' },
      { _id: 3, title: 'blue' },
    ]);
    const command = jest.spyOn(connection.collection('many'), 'bulkWrite');
    const outcomes = await Promise.allSettled([
      writes.updateMany('many', { title: 'red' }, { $inc: { count: 1 } }),
      writes.updateMany('many', { title: 'blue' }, { $inc: { title: 1 } }),
      writes.updateMany('many', { title: 'green' }, { $inc: { count: 1 } }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(command).toHaveBeenCalledTimes(1);
    expect(await records('many').find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 1, title: 'red', count: 1 },
      { _id: 2, title: 'red', count: 1 },
      { _id: 3, title: 'blue' },
    ]);
  });
});

describe('inserts of one turn', () => {
  it('are one command, and each is rejected for its own duplicate, without undefined values', async () => {
    await connection.collection('titled').createIndex({ title: 1 }, { unique: true });
    await records('titled').insertOne({ _id: 1, title: 'taken' });
    const command = jest.spyOn(connection.collection('titled'), 'bulkWrite');
    const outcomes = await Promise.allSettled([
      writes.insert('titled', { _id: 2, title: 'taken' }),
      writes.insert('titled', { _id: 3, title: 'free', count: undefined }),
    ]);
    expect(outcomes[0]).toMatchObject({ status: 'rejected', reason: { code: 11000, keyPattern: { title: 1 } } });
    expect(outcomes[1]).toMatchObject({ status: 'fulfilled' });
    expect(command).toHaveBeenCalledTimes(1);
    expect(await records('titled').findOne({ _id: 3 })).toEqual({ _id: 3, title: 'free' });
  });

  it('do not change existing documents', async () => {
    await records('inserted').insertOne({ _id: 1, title: 'first' });
    const one = [{ _id: 1, title: 'again' }, { _id: 2 }];
    await Promise.all([writes.insertOnce('inserted', one), writes.insertOnce('inserted', [{ _id: 3 }, { _id: 2 }])]);
    expect(await records('inserted').find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 1, title: 'first' },
      { _id: 2 },
      { _id: 3 },
    ]);
  });

  it('are rejected by other failures', async () => {
    const refused = { _id: [1] as unknown as number };
    await expect(writes.insertOnce('inserted', [{ _id: 4 }, refused])).rejects.toThrow();
    expect(await records('inserted').findOne({ _id: 4 })).toEqual({ _id: 4 });
  });
});
