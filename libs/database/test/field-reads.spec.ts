import { startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import { type Connection, createConnection, type Model, Schema } from 'mongoose';
import { FieldReads, outboxed, PointReads } from '../src';

interface Leaf {
  _id: number;
  branch: string;
}

const schema = new Schema<Leaf>({ _id: Number, branch: String }).plugin(outboxed as never);
schema.index({ branch: 1 });

let infrastructure: TestInfrastructure;
let connection: Connection;
let leaves: Model<Leaf>;

beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
  const dbName = `${infrastructure.mongodbPrefix}_reads`;
  connection = await createConnection(infrastructure.mongodbUri, { dbName }).asPromise();
  leaves = connection.model<Leaf>('Leaf', schema);
  await leaves.collection.insertMany(
    ['oak', 'oak', 'elm', 'ash'].map((branch, at) => ({ _id: at as never, branch, outbox: [{ id: `event ${at}` }] })),
  );
});

afterAll(async () => {
  await connection?.close();
  await infrastructure?.stop();
});

const ids = (found: readonly Leaf[] = []) => found.map(({ _id }) => _id);

describe('reads of one turn', () => {
  const queries = () => jest.spyOn(leaves.collection, 'find');
  afterEach(() => jest.restoreAllMocks());

  it('by id are one query, and another one in the next turn', async () => {
    const reads = new PointReads(leaves);
    const find = queries();
    const found = await Promise.all([0, 1, 0, 99].map((id) => reads.find(id)));
    expect(found.map((leaf) => leaf?._id)).toEqual([0, 1, 0, undefined]);
    expect(find).toHaveBeenCalledTimes(1);
    await leaves.updateOne({ _id: 3 }, { $set: { branch: 'yew' } });
    expect(await reads.find(3)).toMatchObject({ branch: 'yew' });
    await leaves.updateOne({ _id: 3 }, { $set: { branch: 'ash' } });
    expect(await reads.find(3)).toMatchObject({ branch: 'ash' });
  });

  it('by any field return to each caller its documents, without hidden fields', async () => {
    const reads = new FieldReads(leaves, 'branch');
    const find = queries();
    const [some, one, none, nothing] = await Promise.all([
      reads.findAll(['oak', 'elm', 'oak']),
      reads.find('ash'),
      reads.findAll(['fir']),
      reads.findAll([]),
    ]);
    expect([...some].map(([branch, found]) => [branch, ids(found)])).toEqual([
      ['oak', [0, 1]],
      ['elm', [2]],
    ]);
    expect(one).toEqual([{ _id: 3, branch: 'ash' }]);
    expect([none.size, nothing.size]).toEqual([0, 0]);
    expect(find).toHaveBeenCalledTimes(1);
  });

  it('use a filter and a projection', async () => {
    const options = { filter: { _id: { $gt: 0 } }, projection: { branch: 1, _id: 0 } } as const;
    const reads = new FieldReads(leaves, 'branch', options);
    expect(await reads.find('oak')).toEqual([{ branch: 'oak' }]);
  });

  it('fail for all callers of the turn, and for no later one', async () => {
    const reads = new PointReads(leaves);
    queries().mockImplementationOnce(() => {
      throw new Error('away');
    });
    const asked = [0, 1].map((id) => reads.find(id));
    for (const outcome of await Promise.allSettled(asked)) expect(outcome).toMatchObject({ status: 'rejected' });
    expect(await reads.find(0)).toMatchObject({ _id: 0 });
  });

  it('query a thousand values at a time', async () => {
    const find = queries();
    const found = await new PointReads(leaves).findAll(Array.from({ length: 2500 }, (_, id) => id));
    expect([...found.keys()]).toEqual([0, 1, 2, 3]);
    expect(find).toHaveBeenCalledTimes(3);
  });
});
