import { startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import { type Connection, createConnection, type Model, mongo, Schema } from 'mongoose';
import { withShortReads } from '../src/short-reads';

interface Leaf {
  _id: number;
  branch: string;
  text?: string;
  seenAt?: Date;
}

const schema = new Schema<Leaf>({ _id: Number, branch: String, text: String, seenAt: Date }, { collection: 'leaves' });

let infrastructure: TestInfrastructure;
let connection: Connection;
let leaves: Model<Leaf>;
/** Commands since the test began. */
let commands: { name: string; command: mongo.Document }[];

async function open(uri: string): Promise<Connection> {
  const dbName = `${infrastructure.mongodbPrefix}_short_reads`;
  return withShortReads(await createConnection(uri, { dbName, monitorCommands: true }).asPromise());
}

beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
  connection = await open(infrastructure.mongodbUri);
  connection.getClient().on('commandStarted', ({ commandName: name, command }) => commands.push({ name, command }));
  leaves = connection.model<Leaf>('Leaf', schema);
});
beforeEach(async () => {
  commands = [];
  await leaves.deleteMany({});
  await leaves.collection.insertMany(
    ['oak', 'elm', 'oak', 'ash', 'oak'].map((branch, at) => ({ _id: at as never, branch, seenAt: new Date(at) })),
  );
  commands.length = 0;
});
afterAll(async () => {
  await connection?.close();
  await infrastructure?.stop();
});

const names = () => commands.map(({ name }) => name);
const ids = (found: { _id: number }[]) => found.map(({ _id }) => _id);

describe('a short read', () => {
  it('is one command with its conditions, order, bounds and fields', async () => {
    const found = await leaves.find({ branch: 'oak' }, { branch: 1 }).sort({ _id: -1 }).skip(1).limit(2).lean();
    expect(found).toEqual([
      { _id: 2, branch: 'oak' },
      { _id: 0, branch: 'oak' },
    ]);
    expect(names()).toEqual(['find']);
    expect(commands[0]?.command).toMatchObject({ skip: 1, limit: 2, sort: { _id: -1 }, projection: { branch: 1 } });
  });

  it('returns what the driver returns, of every type', async () => {
    const document = {
      _id: 9,
      text: 'ä'.repeat(50),
      seenAt: new Date(-1),
      nothing: null,
      nested: { list: [1, 2.5, { deep: true }] },
      long: mongo.Long.fromString('9007199254740993'),
      small: mongo.Long.fromNumber(7),
      decimal: mongo.Decimal128.fromString('1.50'),
      binary: new mongo.Binary(Buffer.from([0, 255])),
      id: new mongo.ObjectId(),
      pattern: /a+/i,
      $field: 'x',
      ['__proto__']: 'own',
    };
    await leaves.collection.insertOne(document as never);
    // The driver's own cursor, for the batch size.
    const [expected] = await leaves.collection.find({ _id: 9 as never }, { batchSize: 5 }).toArray();
    expect(await leaves.findOne({ _id: 9 }).lean()).toEqual(expected);
    expect(await leaves.find({ _id: 9 }).lean()).toEqual([expected]);
    expect(await leaves.collection.findOne({ _id: 9 as never })).toEqual(expected);
  });

  it('of one document is null if there is none, and hydrates it otherwise', async () => {
    expect(await leaves.findOne({ branch: 'fir' }).lean()).toBeNull();
    expect((await leaves.findOne({ branch: 'oak' }).sort({ _id: -1 }))?.get('_id')).toBe(4);
    expect(names()).toEqual(['find', 'find']);
  });

  it('counts, up to a limit and after others', async () => {
    expect(await leaves.countDocuments({ branch: 'oak' })).toBe(3);
    expect(await leaves.countDocuments({ branch: 'oak' }).limit(2)).toBe(2);
    expect(await leaves.countDocuments({ branch: 'oak' }).skip(2)).toBe(1);
    expect(await leaves.countDocuments({ branch: 'fir' })).toBe(0);
    expect(await leaves.countDocuments({ branch: 'oak' }, { hint: '_id_', collation: { locale: 'en' } })).toBe(3);
    expect(names()).toEqual(Array(5).fill('aggregate'));
  });

  it('leaves options that it does not know to the driver', async () => {
    const find = (options: object) => leaves.collection.find({ branch: 'oak' }, options).toArray();
    for (const options of [{ batchSize: 2 }, { sort: [['_id', 1]] }, { sort: '_id' }, { projection: ['branch'] }])
      expect(ids((await find(options)) as never)).toEqual([0, 2, 4]);
    expect(ids((await find({ limit: -2 })) as never)).toEqual([0, 2]);
    expect(ids((await find({ limit: 0, sort: undefined, skip: undefined })) as never)).toEqual([0, 2, 4]);
  });

  it('can be read as a stream, and changed before it starts', async () => {
    const seen: number[] = [];
    for await (const { _id } of leaves.find({ branch: 'oak' }).lean().cursor()) seen.push(_id);
    expect(seen).toEqual([0, 2, 4]);
    const cursor = leaves.collection.find({ branch: 'oak' });
    expect(ids((await cursor.sort({ _id: -1 }).limit(2).toArray()) as never)).toEqual([4, 2]);
    expect(ids((await cursor.toArray()) as never)).toEqual([]);
    expect(await leaves.collection.find({ branch: 'ash' }).next()).toMatchObject({ _id: 3 });
    expect(await leaves.find({ branch: 'ash' }).explain()).toHaveProperty('queryPlanner');
  });

  it('fails with the error of the server', async () => {
    const bad = { $unknown: 1 } as never;
    await expect(leaves.collection.find(bad).toArray()).rejects.toThrow(mongo.MongoServerError);
    await expect(leaves.collection.findOne(bad)).rejects.toThrow(mongo.MongoServerError);
    await expect(leaves.collection.countDocuments(bad)).rejects.toThrow(mongo.MongoServerError);
  });
});

describe('a long read', () => {
  it('of more documents than one batch is complete', async () => {
    const many = Array.from({ length: 2500 }, (_, at) => ({ _id: (100 + at) as never, branch: 'fir' }));
    await leaves.collection.insertMany(many);
    expect(ids(await leaves.find({ branch: 'fir' }).sort({ _id: 1 }).lean())).toEqual(many.map(({ _id }) => _id));
    expect(await leaves.find({ branch: 'fir' }).limit(1000).lean()).toHaveLength(1000);
    expect(await leaves.find({ branch: 'fir' }).limit(1001).lean()).toHaveLength(1001);
  });

  it('of more bytes than one reply is complete, and leaves no cursor open', async () => {
    const text = 'x'.repeat(1024 * 1024);
    for (let at = 0; at < 20; at++)
      await leaves.collection.insertOne({ _id: (100 + at) as never, branch: 'fir', text });
    commands.length = 0;
    const found = await leaves.find({ branch: 'fir' }).sort({ _id: 1 }).limit(20).lean();
    expect(ids(found)).toEqual(Array.from({ length: 20 }, (_, at) => 100 + at));
    expect(found.every((leaf) => leaf.text?.length === text.length)).toBe(true);
    const [first, second, third, ...others] = names();
    expect([first, second, third]).toEqual(['find', 'killCursors', 'find']);
    expect(new Set(others)).toEqual(new Set(['getMore']));
  });
});

it('is repeated if the connection breaks', async () => {
  const admin = connection.getClient().db('admin');
  const failNext = (command: string) =>
    admin.command({
      configureFailPoint: 'failCommand',
      mode: { times: 1 },
      data: { failCommands: [command], closeConnection: true },
    });
  await failNext('find');
  expect(ids(await leaves.find({ branch: 'oak' }).sort({ _id: 1 }).lean())).toEqual([0, 2, 4]);
  await failNext('find');
  expect(await leaves.findOne({ branch: 'ash' }).lean()).toMatchObject({ _id: 3 });
  await failNext('aggregate');
  expect(await leaves.countDocuments({ branch: 'oak' })).toBe(3);
  const both = ['find', 'find', 'find', 'find', 'aggregate', 'aggregate'];
  expect(names().filter((name) => both.includes(name))).toEqual(both);
});
