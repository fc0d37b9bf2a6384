import type { Collection, Document } from 'mongodb';
import type { Scan } from '../src/engine/options';
import { TestServer } from './test-server';

let server: TestServer;
let items: Collection<Document>;

beforeAll(async () => {
  server = await TestServer.start();
  items = (await server.database('planner')).collection('items');
  await items.createIndexes([
    { key: { group: 1, n: -1 } },
    { key: { n: 1 } },
    { key: { tags: 1 } },
    { key: { 'sub.a': 1, 'sub.b': 1 } },
    { key: { maybe: 1 }, sparse: true },
    { key: { state: 1 }, partialFilterExpression: { state: { $in: ['open', 'new'] } } },
    { key: { email: 1 }, unique: true, sparse: true },
  ]);
  await items.insertMany(
    Array.from({ length: 1000 }, (_, n) => ({
      _id: n,
      n,
      group: n % 10,
      tags: [n % 7, `t${n % 5}`],
      sub: [{ a: n % 4, b: n % 6 }],
      state: n % 2 === 0 ? 'open' : 'closed',
      email: `user${n}@example.com`,
      ...(n % 100 === 0 ? { maybe: n } : {}),
    })) as Document[],
  );
});
afterAll(() => server.stop());

interface Explained {
  stages: string[];
  index: string | undefined;
  keys: number;
  documents: number;
  returned: number;
}

async function explain(
  filter: Document,
  options: { sort?: Document; hint?: string; limit?: number } = {},
): Promise<Explained> {
  let cursor = items.find(filter);
  if (options.sort) cursor = cursor.sort(options.sort as never);
  if (options.hint) cursor = cursor.hint(options.hint);
  if (options.limit) cursor = cursor.limit(options.limit);
  const { executionStats: stats } = await cursor.explain('executionStats');
  const stages: string[] = [];
  let index: string | undefined;
  for (let stage = stats.executionStages; stage; stage = stage.inputStage ?? stage.inputStages?.[0]) {
    stages.push(stage.stage);
    index ??= stage.indexName;
  }
  return {
    stages,
    index,
    keys: stats.totalKeysExamined,
    documents: stats.totalDocsExamined,
    returned: stats.nReturned,
  };
}

describe('an index answers', () => {
  test.each<[string, Document, string, number]>([
    ['equality', { n: 5 }, 'n_1', 1],
    ['equality on _id', { _id: 5 }, '_id_', 1],
    ['$in', { n: { $in: [1, 2, 3, 2000] } }, 'n_1', 3],
    ['a range', { n: { $gte: 10, $lt: 20 } }, 'n_1', 10],
    ['a prefix and a range', { group: 3, n: { $gt: 900 } }, 'group_1_n_-1', 10],
    ['an element of an array', { tags: 't3' }, 'tags_1', 200],
    ['a regular expression with a fixed beginning', { email: /^user99/ }, 'email_1', 11],
    ['an element of a path', { 'sub.a': 1 }, 'sub.a_1_sub.b_1', 250],
  ])('%s', async (_name, filter, index, returned) => {
    const explained = await explain(filter);
    expect(explained).toMatchObject({ index, returned, documents: returned });
    expect(explained.keys).toBeLessThanOrEqual(returned + 1);
  });

  test('ids, also if another index has more of the conditions', async () => {
    const ids = [3, 13, 23, 24, 5000];
    const explained = await explain({ group: 3, n: { $gte: 0 }, _id: { $in: ids } });
    expect(explained).toMatchObject({ index: '_id_', returned: 3, documents: 4 });
    const one = await explain({ group: 3, n: 13, _id: { $in: [...Array(500).keys()] } });
    expect(one).toMatchObject({ index: 'group_1_n_-1', returned: 1, documents: 1 });
  });

  test('a sort after an equality, without sorting', async () => {
    for (const direction of [1, -1]) {
      const explained = await explain({ group: 3 }, { sort: { n: direction }, limit: 5 });
      expect(explained).toMatchObject({ index: 'group_1_n_-1', keys: 5, documents: 5, returned: 5 });
      expect(explained.stages).not.toContain('SORT');
    }
  });

  test('which values a field has, by a document or a few for each', async () => {
    const explained = async (key: string, query: Document): Promise<Document> => {
      const command = { explain: { distinct: 'items', key, query }, verbosity: 'executionStats' };
      return (await server.database('planner')).command(command);
    };
    const whole = await explained('group', {});
    expect(whole.queryPlanner.winningPlan).toMatchObject({ inputStage: { stage: 'DISTINCT_SCAN' } });
    expect(whole.executionStats).toMatchObject({ nReturned: 10, totalDocsExamined: 10 });
    expect(whole.executionStats.totalKeysExamined).toBeLessThan(100);
    expect((await items.distinct('group')).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect((await explained('n', { group: 3, n: { $lt: 100 } })).executionStats).toMatchObject({ nReturned: 10 });
    // With another condition, all matches are read.
    expect((await explained('group', { state: 'open' })).executionStats).toMatchObject({ nReturned: 500 });
    expect((await items.distinct('group', { state: 'open' })).sort()).toEqual([0, 2, 4, 6, 8]);
  });

  test('a sort after several values, merged in order', async () => {
    const cursor = items
      .find({ group: { $in: [3, 7, 5, 3] } })
      .sort({ n: -1 })
      .limit(4);
    expect((await cursor.toArray()).map(({ n }) => n)).toEqual([997, 995, 993, 987]);
    const explained = await explain({ group: { $in: [3, 7, 5] } }, { sort: { n: 1 }, limit: 6 });
    expect(explained).toMatchObject({ index: 'group_1_n_-1', documents: 6, returned: 6 });
    expect(explained.stages).toContain('SORT_MERGE');
    expect(explained.keys).toBeLessThan(12);
  });

  describe('a page of many that are narrowed by one index and put in order by another', () => {
    let events: Collection<Document>;
    const size = 3_000;
    beforeAll(async () => {
      events = (await server.database('planner')).collection('events');
      await events.createIndexes([{ key: { kind: 1, by: 1 } }, { key: { kind: 1, at: -1 } }, { key: { at: -1 } }]);
      await events.insertMany(
        Array.from({ length: size }, (_, at) => ({
          at,
          kind: 'push',
          by: at < size / 2 ? 'early' : 'late',
          n: at % 10,
        })),
      );
    });

    const read = async (filter: Document, limit: number, skip = 0) => {
      const cursor = () => events.find(filter).sort({ at: -1 }).skip(skip).limit(limit);
      const { executionStats: stats } = await cursor().explain('executionStats');
      const found = (await cursor().toArray()).map(({ at }) => at);
      expect(found).toEqual(
        (await events.find().toArray())
          .filter(matching(filter))
          .map(({ at }) => at)
          .reverse()
          .slice(skip, skip + limit),
      );
      return stats.totalDocsExamined;
    };
    const matching =
      (filter: Document) =>
      (event: Document): boolean =>
        Object.entries(filter).every(([name, value]) => value.$in?.includes(event[name]) ?? event[name] === value);

    test('returns ordered results for a prefix of its fields', async () => {
      expect(await read({ kind: 'push', by: 'late' }, 20)).toBe(20);
      expect(await read({ kind: 'push', by: 'late' }, 20, 300)).toBe(320);
    });

    test('returns ordered results for ten thousand values', async () => {
      const values = Array.from({ length: 10_000 }, (_, at) => `nobody ${at}`);
      await events.createIndex({ by: 1 });
      expect(await read({ by: { $in: [...values, 'late'] } }, 20)).toBe(20);
    });

    test('is sorted if the order is not a prefix of the index', async () => {
      expect(await read({ kind: 'push', by: 'early' }, 20)).toBe(size / 2);
    });

    test('is sorted if there are few', async () => {
      await events.insertMany(Array.from({ length: 30 }, (_, at) => ({ at: size + at, kind: 'push', by: 'few' })));
      expect(await read({ kind: 'push', by: 'few' }, 20)).toBe(30);
    });

    test('fails for no document that a narrower index excludes', async () => {
      await events.insertOne({ at: size + 100, kind: 'push', by: 'nobody', n: 'text' });
      const filter = { kind: 'push', by: 'late', $expr: { $gte: [{ $add: ['$n', 1] }, 0] } };
      expect(await events.find(filter).sort({ at: -1 }).limit(20).toArray()).toHaveLength(20);
    });
  });

  test('a sort without a filter', async () => {
    expect(await explain({}, { sort: { n: -1 }, limit: 3 })).toMatchObject({ index: 'n_1', documents: 3 });
  });

  test('alternatives, each by its own index', async () => {
    const explained = await explain({ $or: [{ n: 1 }, { email: 'user2@example.com' }, { n: 1, group: 1 }] });
    expect(explained).toMatchObject({ returned: 2, documents: 2 });
    expect(explained.stages).toContain('OR');
  });

  test('a count without reading a document', async () => {
    const database = await server.database('planner');
    const counted = await database.command({
      explain: { count: 'items', query: { group: 3, n: { $gte: 500 } } },
      verbosity: 'executionStats',
    });
    expect(counted.queryPlanner.winningPlan).toMatchObject({
      stage: 'COUNT',
      inputStage: { stage: 'COUNT_SCAN', indexName: 'group_1_n_-1' },
    });
    expect(await items.countDocuments({ group: 3, n: { $gte: 500 } })).toBe(50);
  });
});

describe('entries restrict fields that are not bound', () => {
  test('before a document is read', async () => {
    const filter = { group: { $gte: 3, $lt: 5 }, n: { $in: [3, 4, 5] }, state: 'open' };
    expect(await explain(filter, { hint: 'group_1_n_-1' })).toMatchObject({ keys: 200, documents: 2, returned: 1 });
  });

  test('also negated conditions', async () => {
    const filter = { group: { $gt: 3 }, n: { $ne: 4, $not: { $gt: 100 } } };
    const explained = await explain(filter, { hint: 'group_1_n_-1' });
    expect(explained).toMatchObject({ keys: 600, documents: 59, returned: 59 });
    expect(await items.countDocuments(filter, { hint: 'group_1_n_-1' })).toBe(59);
  });

  test('but not arrays, whose other entries may differ', async () => {
    const filter = { 'sub.a': { $gte: 0 }, 'sub.b': { $ne: 5 } };
    const explained = await explain(filter, { hint: 'sub.a_1_sub.b_1' });
    expect(explained.documents).toBe(1000);
    expect(explained.returned).toBe(await items.countDocuments(filter, { hint: { $natural: 1 } }));
  });
});

test('documents of any size are filtered in place, and returned unchanged', async () => {
  const sized = (await server.database('planner')).collection<Document>('sized');
  await sized.createIndex({ kind: 1 });
  const sizes = [10, 5000, 40_000, 1_000_000, 15_000_000, 20];
  for (const [_id, size] of sizes.entries()) {
    await sized.insertOne({ _id: _id as never, kind: 'same', text: String(_id).repeat(size), isWanted: _id !== 1 });
  }
  const found = await sized.find({ kind: 'same', isWanted: true }).toArray();
  expect(found.map(({ _id, text }) => [_id, text === String(_id).repeat(sizes[_id as unknown as number]!)])).toEqual(
    [0, 2, 3, 4, 5].map((id) => [id, true]),
  );
  expect(await sized.updateMany({ kind: 'same', isWanted: true }, { $set: { seen: 1 } })).toMatchObject({
    modifiedCount: 5,
  });
  expect((await sized.findOne({ kind: 'same', seen: 1, text: /^4/ }))!.text).toHaveLength(15_000_000);
  const sorted = await sized.find({ kind: 'same', seen: 1 }).sort({ isWanted: 1, _id: -1 }).toArray();
  expect(sorted.map(({ _id, text }) => [_id, text.length])).toEqual([5, 4, 3, 2, 0].map((id) => [id, sizes[id]]));
  expect(await sized.countDocuments({ kind: 'same', text: { $gt: '3' } })).toBe(3);
});

describe('a filter that cannot match is not executed', () => {
  test.each<[string, Document]>([
    ['an empty $in', { state: { $in: [] } }],
    ['an empty $in beside others', { n: 5, $and: [{ group: 1 }, { 'sub.c': { $in: [] } }] }],
    ['alternatives that are all empty', { $or: [{ n: { $in: [] } }, { $and: [{ state: { $in: [] } }, { n: 1 }] }] }],
    ['two values of one field that is no array', { $and: [{ n: 1 }, { n: { $in: [2, 3] } }] }],
    ['two ids', { $and: [{ _id: 1 }, { _id: 2 }] }],
    ['a range turned around', { n: { $gt: 5, $lt: 1 } }],
  ])('%s', async (_name, filter) => {
    expect(await explain(filter)).toEqual({ stages: ['EOF'], index: undefined, keys: 0, documents: 0, returned: 0 });
    expect(await items.countDocuments(filter)).toBe(0);
    expect(await items.find(filter).sort({ n: 1 }).toArray()).toEqual([]);
  });

  test('an empty alternative keeps the others', async () => {
    const explained = await explain({ $or: [{ state: { $in: [] } }, { n: 3 }] });
    expect(explained).toMatchObject({ returned: 1, documents: 1 });
  });

  test('arrays may contain both of two values', async () => {
    expect((await items.find({ $and: [{ tags: 3 }, { tags: 't3' }] }).toArray()).length).toBeGreaterThan(0);
  });
});

describe('an index is not used', () => {
  test('if it does not contain all matches', async () => {
    expect((await explain({ maybe: null })).stages).toEqual(['COLLSCAN']);
    expect((await explain({ maybe: 100 })).index).toBe('maybe_1');
    expect((await explain({}, { sort: { maybe: 1 } })).stages).toContain('COLLSCAN');
    expect((await explain({ state: 'closed' })).stages).toEqual(['COLLSCAN']);
    expect((await explain({ state: 'open' })).index).toBe('state_1');
  });

  test('if it has another collation', async () => {
    const plan = await items.find({ email: 'USER1@example.com' }).collation({ locale: 'en', strength: 2 }).explain();
    expect(plan.queryPlanner.winningPlan.stage).toBe('COLLSCAN');
    expect(
      await items.find({ email: 'USER1@example.com' }).collation({ locale: 'en', strength: 2 }).toArray(),
    ).toHaveLength(1);
  });

  test('for a sort by an array that the filter binds', async () => {
    expect((await explain({ tags: { $gte: 't1' } }, { sort: { tags: 1 } })).stages).toContain('SORT');
  });
});

describe('arrays in an index', () => {
  test('two elements may fulfil the two sides of a range', async () => {
    await items.insertOne({ _id: 'two sides' as never, tags: [-5, 100] });
    expect((await items.find({ tags: { $gt: 50, $lt: 0 } }).toArray()).map(({ _id }) => _id)).toEqual(['two sides']);
    expect(await items.find({ tags: { $elemMatch: { $gt: 50, $lt: 99 } } }).toArray()).toEqual([]);
    await items.deleteOne({ _id: 'two sides' as never });
  });

  test('conditions on two fields may match two elements, except in $elemMatch', async () => {
    await items.insertOne({
      _id: 'two elements' as never,
      sub: [
        { a: 77, b: 1 },
        { a: 2, b: 88 },
      ],
    });
    expect(await items.find({ 'sub.a': 77, 'sub.b': 88 }).toArray()).toHaveLength(1);
    expect(await items.find({ sub: { $elemMatch: { a: 77, b: 88 } } }).toArray()).toHaveLength(0);
    await items.deleteOne({ _id: 'two elements' as never });
  });
});

test('a hint is followed, and one that names nothing is an error', async () => {
  expect(await explain({ group: 3 }, { hint: 'n_1' })).toMatchObject({ index: 'n_1', keys: 1000, returned: 100 });
  expect((await explain({ n: 3 }, { hint: '$natural' }).catch((error) => error)).code).toBe(2);
  await expect(items.find({}).hint('nothing').toArray()).rejects.toMatchObject({ code: 2 });
});

test('explain of a write plans it and does not do it', async () => {
  const database = await server.database('planner');
  const explained = await database.command({ explain: { delete: 'items', deletes: [{ q: { n: 5 }, limit: 1 }] } });
  expect(explained.queryPlanner.winningPlan).toMatchObject({ stage: 'DELETE' });
  expect(await items.countDocuments({ n: 5 })).toBe(1);
});

test('the scan of a large collection is logged with its fields, without its values', async () => {
  const large = (await server.database('planner')).collection('large');
  await large.insertMany(Array.from({ length: 10_000 }, (_, n) => ({ n })));
  await large.findOne({ secret: 'hidden', n: 5 });
  await large.findOne({ secret: 'other', n: 6 });
  const lines = server.log.filter(({ details }) => details.namespace === 'planner.large');
  expect(lines).toEqual([
    {
      event: expect.stringContaining('scanned'),
      details: { namespace: 'planner.large', documents: 10_000, filter: 'secret, n', sort: [] },
    },
  ]);
});

test('a listener receives each kind of scan, also of small collections', async () => {
  const scans: Scan[] = [];
  const own = await TestServer.start({ onScan: (scan) => scans.push(scan) });
  const database = await own.database('scans');
  const counted = database.collection('counted');
  await counted.insertMany([{ n: 1 }, { n: 2 }]);
  expect([await counted.estimatedDocumentCount(), await counted.countDocuments()]).toEqual([2, 2]);
  const small = database.collection('small');
  await small.insertMany([{ n: 1 }, { n: 2 }]);
  await small.createIndex({ n: 1 });
  await small.findOne({ n: 1 });
  for (const n of [1, 2]) await small.updateMany({ $or: [{ m: n }, { n: { $gt: n } }] }, { $set: { k: 1 } });
  await small.find({ list: { $elemMatch: { a: 1 } } }, { sort: { k: 1 } }).toArray();
  await small.find().toArray();
  expect(scans).toEqual([
    { namespace: 'scans.small', documents: 2, filter: '$or(m | n $gt)', sort: [] },
    { namespace: 'scans.small', documents: 2, filter: 'list $elemMatch', sort: ['k'] },
    { namespace: 'scans.small', documents: 2, filter: '', sort: [] },
  ]);
  await own.stop();
});
