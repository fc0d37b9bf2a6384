import { startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import { type Connection, createConnection, type Model, Schema } from 'mongoose';
import { sealedFields } from '../src';
import { SealedFields } from '../src/sealed-fields';

interface Thing {
  _id: number;
  token?: string | null;
  variables?: { key: string; sealed: string }[];
  secrets?: Record<string, string>;
  jobs?: { variables: { sealed: string }[] }[];
}

/** Encrypts by writing the name of the key before the text. */
const seal = {
  keyName: 'new',
  reseal(sealed: string): string | undefined {
    const [key, text] = sealed.split(':');
    if (key === 'lost') throw new Error('no key opens it');
    return key === 'new' ? undefined : `new:${text}`;
  },
};

let infrastructure: TestInfrastructure;
let connection: Connection;
let things: Model<Thing>;
let fields: SealedFields;
beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
});
afterAll(() => infrastructure?.stop());

let databases = 0;
beforeEach(async () => {
  const dbName = `${infrastructure.mongodbPrefix}_sealed${++databases}`;
  connection = await createConnection(infrastructure.mongodbUri, { dbName }).asPromise();
  const schema = new Schema<Thing>({ _id: Number }, { strict: false, collection: 'things' });
  schema.plugin(sealedFields, ['token', 'variables.sealed', 'secrets', 'jobs.variables.sealed']);
  things = connection.model<Thing>('Thing', schema);
  const others = new Schema({ _id: String }, { strict: false, collection: 'others' });
  others.plugin(sealedFields, ['key']);
  connection.model('Other', others);
  connection.model('Plain', new Schema({ _id: Number }, { strict: false, collection: 'plain' }));
  fields = new SealedFields(connection, seal);
});
afterEach(() => connection.close());

/** Once through all collections. */
async function pass(only_count = false) {
  const counts = { seen: 0, outdated: 0, resealed: 0, unreadable: [] as string[], calls: 0 };
  let after: string | null | undefined;
  do {
    const found = await fields.reseal({ only_count, ...(after && { after }) });
    counts.seen += found.seen;
    counts.outdated += found.outdated;
    counts.resealed += found.resealed;
    counts.unreadable.push(...found.unreadable);
    counts.calls++;
    after = found.after;
  } while (after !== null);
  return counts;
}

it('increments the revision of changed documents, if they have one', async () => {
  const schema = new Schema({ _id: Number, revision: Number }, { strict: false, collection: 'revised' });
  schema.plugin(sealedFields, ['token']);
  const revised = connection.model('Revised', schema).collection;
  await revised.insertOne({ _id: 1, token: 'old:a', revision: 3 } as never);
  for (const _turn of ['changes it', 'finds nothing']) await pass();
  expect(await revised.findOne({})).toEqual({ _id: 1, token: 'new:a', revision: 4 });
});

const insert = (thing: Thing) => things.collection.insertOne(thing as never);
const read = (_id: number) => things.collection.findOne({ _id } as never);

const before: Thing = {
  _id: 1,
  token: 'old:a',
  variables: [
    { key: 'x', sealed: 'new:b' },
    { key: 'y', sealed: 'old:c' },
  ],
  secrets: { password: 'old:d', url: 'new:e' },
  jobs: [{ variables: [] }, { variables: [{ sealed: 'old:f' }] }],
};
const after: Thing = {
  _id: 1,
  token: 'new:a',
  variables: [
    { key: 'x', sealed: 'new:b' },
    { key: 'y', sealed: 'new:c' },
  ],
  secrets: { password: 'new:d', url: 'new:e' },
  jobs: [{ variables: [] }, { variables: [{ sealed: 'new:f' }] }],
};

it('encrypts values of another key again, in fields, lists, nested lists and objects', async () => {
  await insert(before);
  await insert({ _id: 2, token: null });
  await insert({ _id: 3 });
  await connection.collection('others').insertOne({ _id: 'RS256', key: 'old:k' } as never);
  await connection.collection('plain').insertOne({ _id: 1, token: 'old:p' } as never);
  expect(await pass()).toMatchObject({ seen: 7, outdated: 5, resealed: 5, unreadable: [] });
  expect([await read(1), await read(2), await read(3)]).toEqual([after, { _id: 2, token: null }, { _id: 3 }]);
  expect(await connection.collection('others').findOne({})).toEqual({ _id: 'RS256', key: 'new:k' });
  expect(await connection.collection('plain').findOne({})).toEqual({ _id: 1, token: 'old:p' });
  expect(await pass()).toMatchObject({ seen: 7, outdated: 0, resealed: 0 });
});

it('changes nothing if it only counts', async () => {
  await insert(before);
  expect(await pass(true)).toMatchObject({ seen: 6, outdated: 4, resealed: 0 });
  expect(await read(1)).toEqual(before);
});

it('reports values that no key decrypts, and continues', async () => {
  await insert({ _id: 1, token: 'lost:a', secrets: { password: 'old:b' } });
  await insert({ _id: 2, token: 'old:c' });
  expect(await pass()).toMatchObject({ outdated: 2, resealed: 2, unreadable: ['things 1 token'] });
  expect(await read(1)).toEqual({ _id: 1, token: 'lost:a', secrets: { password: 'new:b' } });
});

it('continues where it was interrupted', async () => {
  const count = 1200;
  const all = Array.from({ length: count }, (_, at) => ({ _id: at + 1, token: `old:${at}` }));
  await things.collection.insertMany(all as never);
  const { after: where } = await fields.reseal({ only_count: false });
  const { after: further, resealed } = await fields.reseal({ only_count: false, after: where! });
  expect([JSON.parse(where!), resealed]).toEqual([['things', null], 500]);
  expect(JSON.parse(further!)).toEqual(['things', 500]);
  // Collections after it are not changed yet.
  expect([await read(500), await read(501)]).toEqual([
    { _id: 500, token: 'new:499' },
    { _id: 501, token: 'old:500' },
  ]);
  const { after: last } = await fields.reseal({ only_count: false, after: further! });
  expect((await fields.reseal({ only_count: false, after: last! })).after).toBeNull();
  expect(await pass()).toMatchObject({ seen: count, outdated: 0 });
});

it('returns nothing if nothing is stored yet', async () => {
  expect(await pass()).toMatchObject({ seen: 0, unreadable: [] });
});

it('overwrites no concurrent change, also if two processes run', async () => {
  const ids = Array.from({ length: 100 }, (_, at) => at + 1);
  await things.collection.insertMany(ids.map((_id) => ({ _id, token: 'old:0' })) as never);
  const changed = Promise.all(
    ids.flatMap((_id) =>
      ['old:1', 'new:2'].map((token) => things.collection.updateOne({ _id } as never, { $set: { token } })),
    ),
  );
  await Promise.all([pass(), pass(), changed]);
  const expected = new Map((await things.collection.find().toArray()).map(({ _id, token }) => [_id, token]));
  // The last written values are stored, under either key, and no earlier ones.
  expect([...expected.values()].filter((token) => token.endsWith(':0'))).toEqual([]);
  await pass();
  const tokens = (await things.collection.find().toArray()).map(({ token }) => token);
  expect(tokens.filter((token) => !/^new:[12]$/.test(token))).toEqual([]);
});
