import { Decimal128, Double, Int32, Long, serialize } from 'bson';
import { decodeDocument } from '../bson/decode';
import { encodeDocument } from '../bson/encode';
import type { Document, Value } from '../bson/value';
import { compilePipeline, splitLeadingQuery } from './pipeline';
import { type Batches, batchesOf, type PipelineEnvironment } from './stages/stage';

const wire = (document: object): Document => decodeDocument(serialize(document));
const stagesOf = (stages: object[]): Value[] => wire({ stages }).stages as Value[];

async function run(documents: object[], stages: object[], environment: PipelineEnvironment = {}): Promise<Document[]> {
  const results: Document[] = [];
  const pipeline = compilePipeline(stagesOf(stages), environment);
  for await (const batch of pipeline(inBatches(documents.map(wire), 2))) results.push(...batch);
  return results;
}

async function* inBatches(documents: Document[], size: number): Batches {
  for (let at = 0; at < documents.length; at += size) yield documents.slice(at, at + size);
}

/** Equal on the wire: types and order of fields count. */
async function expectResult(
  documents: object[],
  stages: object[],
  expected: object[],
  environment?: PipelineEnvironment,
) {
  const results = await run(documents, stages, environment);
  expect(results).toEqual(expected.map(wire));
  expect(results.map((document) => encodeDocument(document).toString('hex'))).toEqual(
    expected.map((document) => Buffer.from(serialize(document)).toString('hex')),
  );
}

const orders = [
  { _id: 1, item: 'a', qty: 2, tags: ['x', 'y'] },
  { _id: 2, item: 'b', qty: 5, tags: [] },
  { _id: 3, item: 'a', qty: 10 },
];

describe('pipelines', () => {
  const rows: [name: string, documents: object[], stages: object[], expected: object[]][] = [
    ['$match', orders, [{ $match: { qty: { $gt: 4 } } }, { $project: { _id: 1 } }], [{ _id: 2 }, { _id: 3 }]],
    [
      '$sort, $skip and $limit',
      orders,
      [{ $sort: { qty: -1 } }, { $skip: 1 }, { $limit: 1 }, { $project: { item: 1 } }],
      [{ _id: 2, item: 'b' }],
    ],
    ['$count', orders, [{ $count: 'n' }], [{ n: 3 }]],
    ['$count of nothing', orders, [{ $match: { x: 1 } }, { $count: 'n' }], []],
    ['what countDocuments sends', orders, [{ $match: {} }, { $group: { _id: 1, n: { $sum: 1 } } }], [{ _id: 1, n: 3 }]],
    [
      '$group',
      orders,
      [{ $group: { _id: '$item', total: { $sum: '$qty' }, ids: { $push: '$_id' } } }],
      [
        { _id: 'a', total: 12, ids: [1, 3] },
        { _id: 'b', total: 5, ids: [2] },
      ],
    ],
    [
      '$group by a missing field',
      [{ a: 1 }, { a: null }, {}],
      [{ $group: { _id: '$a', n: { $sum: 1 } } }],
      [
        { _id: 1, n: 1 },
        { _id: null, n: 2 },
      ],
    ],
    [
      '$group by equal numbers',
      [{ a: 1 }, { a: new Double(1) }, { a: Long.fromNumber(1) }],
      [{ $group: { _id: '$a', n: { $count: {} } } }],
      [{ _id: 1, n: 3 }],
    ],
    [
      '$avg, $min, $max, $first, $last',
      orders,
      [
        {
          $group: {
            _id: null,
            avg: { $avg: '$qty' },
            min: { $min: '$qty' },
            max: { $max: '$qty' },
            first: { $first: '$item' },
            last: { $last: '$nothing' },
          },
        },
      ],
      [{ _id: null, avg: new Double(17 / 3), min: 2, max: 10, first: 'a', last: null }],
    ],
    [
      '$sum of longs',
      [{ a: Long.fromNumber(5) }, { a: 2 }],
      [{ $group: { _id: null, s: { $sum: '$a' } } }],
      [{ _id: null, s: Long.fromNumber(7) }],
    ],
    [
      '$sum beyond int32',
      [{ a: 2147483647 }, { a: 1 }],
      [{ $group: { _id: null, s: { $sum: '$a' } } }],
      [{ _id: null, s: Long.fromNumber(2147483648) }],
    ],
    [
      '$sum of decimals',
      [{ a: Decimal128.fromString('0.1') }, { a: Decimal128.fromString('0.2') }],
      [{ $group: { _id: null, s: { $sum: '$a' } } }],
      [{ _id: null, s: Decimal128.fromString('0.3') }],
    ],
    [
      '$sum of doubles',
      Array.from({ length: 10 }, () => ({ a: 0.1 })),
      [{ $group: { _id: null, s: { $sum: '$a' } } }],
      [{ _id: null, s: new Double(1) }],
    ],
    [
      '$addToSet',
      [{ a: 1 }, { a: new Double(1) }, { a: 2 }],
      [{ $group: { _id: null, s: { $addToSet: '$a' } } }],
      [{ _id: null, s: [1, 2] }],
    ],
    [
      '$topN',
      orders,
      [{ $group: { _id: null, t: { $topN: { n: 2, sortBy: { qty: -1 }, output: '$qty' } } } }],
      [{ _id: null, t: [10, 5] }],
    ],
    [
      '$sortByCount',
      orders,
      [{ $sortByCount: '$item' }],
      [
        { _id: 'a', count: 2 },
        { _id: 'b', count: 1 },
      ],
    ],
    [
      '$unwind',
      orders,
      [{ $unwind: '$tags' }, { $project: { tags: 1 } }],
      [
        { _id: 1, tags: 'x' },
        { _id: 1, tags: 'y' },
      ],
    ],
    [
      '$unwind keeping empty ones',
      orders,
      [
        { $unwind: { path: '$tags', includeArrayIndex: 'i', preserveNullAndEmptyArrays: true } },
        { $project: { i: 1 } },
      ],
      [
        { _id: 1, i: Long.fromNumber(0) },
        { _id: 1, i: Long.fromNumber(1) },
        { _id: 2, i: null },
        { _id: 3, i: null },
      ],
    ],
    [
      '$bucket',
      orders,
      [{ $bucket: { groupBy: '$qty', boundaries: [0, 3, 4, 6], default: 'other' } }],
      [
        { _id: 0, count: 1 },
        { _id: 4, count: 1 },
        { _id: 'other', count: 1 },
      ],
    ],
    [
      '$facet',
      orders,
      [{ $facet: { n: [{ $count: 'c' }], a: [{ $match: { item: 'a' } }, { $project: { _id: 1 } }] } }],
      [{ n: [{ c: 3 }], a: [{ _id: 1 }, { _id: 3 }] }],
    ],
    [
      '$addFields',
      [{ _id: 1, a: { x: 1 } }],
      [{ $addFields: { 'a.y': 2, b: '$a.x' } }],
      [{ _id: 1, a: { x: 1, y: 2 }, b: 1 }],
    ],
    ['$replaceRoot', [{ _id: 1, a: { x: 1 } }], [{ $replaceRoot: { newRoot: '$a' } }], [{ x: 1 }]],
    ['$unset', [{ _id: 1, a: { x: 1, y: 2 }, b: 1 }], [{ $unset: ['a.x', 'b'] }], [{ _id: 1, a: { y: 2 } }]],
  ];
  it.each(rows)('%s', async (_name, documents, stages, expected) => {
    await expectResult(documents, stages, expected);
  });

  it('read no more from their source than they need', async () => {
    let given = 0;
    async function* endless(): Batches {
      for (;;) yield [wire({ n: given++ })];
    }
    const pipeline = compilePipeline(stagesOf([{ $match: { n: { $gte: 2 } } }, { $limit: 3 }]));
    const results: Document[] = [];
    for await (const batch of pipeline(endless())) results.push(...batch);
    expect(results).toEqual([2, 3, 4].map((n) => wire({ n })));
    expect(given).toBe(5);
  });

  it('obey their memory limit', async () => {
    const large = Array.from({ length: 20 }, (_, n) => ({ n, text: 'x'.repeat(1000) }));
    await expect(run(large, [{ $sort: { n: -1 } }], { maxBytes: 10_000 })).rejects.toMatchObject({ code: 292 });
    const pushing = [{ $group: { _id: null, all: { $push: '$$ROOT' } } }];
    await expect(run(large, pushing, { maxBytes: 10_000 })).rejects.toMatchObject({ code: 292 });
    expect(
      await run(large, [{ $sort: { n: -1 } }, { $limit: 2 }, { $project: { n: 1 } }], { maxBytes: 100_000 }),
    ).toEqual([wire({ n: 19 }), wire({ n: 18 })]);
  });
});

describe('joins', () => {
  const collections: Record<string, Document[]> = {
    users: [{ _id: 1, name: 'x' }, { _id: 2, name: 'y' }, { _id: Long.fromNumber(3), name: 'z' }, { name: 'none' }].map(
      wire,
    ),
    nodes: [
      { _id: 1, next: 2 },
      { _id: 2, next: 3 },
      { _id: 3, next: 1 },
    ].map(wire),
  };
  const calls: string[] = [];
  const environment: PipelineEnvironment = {
    aggregate(collection, pipeline, variables) {
      calls.push(collection);
      return compilePipeline(pipeline as Value[], { ...environment, variables })(
        batchesOf(collections[collection] ?? []),
      );
    },
  };
  beforeEach(() => calls.splice(0));

  it('by equality, arrays element by element, one read for a batch', async () => {
    const stages = [{ $lookup: { from: 'users', localField: 'u', foreignField: '_id', as: 'found' } }];
    await expectResult(
      [{ u: 1 }, { u: [2, new Double(3)] }],
      stages,
      [
        { u: 1, found: [{ _id: 1, name: 'x' }] },
        {
          u: [2, new Double(3)],
          found: [
            { _id: 2, name: 'y' },
            { _id: Long.fromNumber(3), name: 'z' },
          ],
        },
      ],
      environment,
    );
    expect(calls).toEqual(['users']);
    await expectResult([{ a: 1 }], stages, [{ a: 1, found: [{ name: 'none' }] }], environment);
  });

  it('by a pipeline that sees the document through variables', async () => {
    const stages = [
      {
        $lookup: {
          from: 'users',
          let: { wanted: '$u' },
          pipeline: [{ $match: { $expr: { $eq: ['$_id', '$$wanted'] } } }, { $project: { _id: 0, name: 1 } }],
          as: 'found',
        },
      },
    ];
    await expectResult([{ u: 2 }], stages, [{ u: 2, found: [{ name: 'y' }] }], environment);
  });

  it('$unionWith and $graphLookup', async () => {
    await expectResult(
      [{ _id: 0 }],
      [{ $unionWith: { coll: 'users', pipeline: [{ $match: { name: 'x' } }] } }],
      [{ _id: 0 }, { _id: 1, name: 'x' }],
      environment,
    );
    const [result] = await run(
      [{ _id: 0, start: 1 }],
      [
        {
          $graphLookup: {
            from: 'nodes',
            startWith: '$start',
            connectFromField: 'next',
            connectToField: '_id',
            as: 'path',
            maxDepth: new Int32(1),
          },
        },
      ],
      environment,
    );
    expect(result).toMatchObject({ path: [wire({ _id: 1, next: 2 }), wire({ _id: 2, next: 3 })] });
  });
});

it('$unionWith reads a collection after the first one, and no further than needed', async () => {
  const read: string[] = [];
  const environment: PipelineEnvironment = {
    aggregate: async function* (collection) {
      for (const _id of [1, 2]) {
        read.push(`${collection} ${_id}`);
        yield [wire({ _id })];
      }
    },
  };
  const pipeline = compilePipeline(stagesOf([{ $unionWith: 'second' }, { $unionWith: 'third' }]), environment);
  const results = pipeline(batchesOf([wire({ _id: 0 })]))[Symbol.asyncIterator]();
  await results.next();
  expect(read).toEqual([]);
  for (const _id of [1, 2, 1]) expect((await results.next()).value).toEqual([wire({ _id })]);
  await results.return?.();
  expect(read).toEqual(['second 1', 'second 2', 'third 1']);
});

describe('invalid pipelines', () => {
  const rows: [object[], number, RegExp][] = [
    [[{ $foo: 1 }], 40324, /^Unrecognized pipeline stage name: '\$foo'$/],
    [[{ $match: {}, $sort: {} }], 40323, /exactly one field/],
    [[{ $group: { n: { $sum: 1 } } }], 15955, /must include an _id/],
    [[{ $group: { _id: 1, n: { $foo: 1 } } }], 15952, /unknown group operator '\$foo'/],
    [[{ $group: { _id: 1, n: 5 } }], 40234, /must be an accumulator object/],
    [[{ $project: { a: { $foo: 1 } } }], 168, /Unrecognized expression '\$foo'/],
    [[{ $project: {} }], 51272, /at least one field/],
    [[{ $limit: 0 }], 15958, /positive/],
    [[{ $skip: -1 }], 5107200, /non-negative/],
    [[{ $out: 'x' }, { $match: {} }], 40601, /final stage/],
    [[{ $out: 'x' }], 115, /\$out is not supported here/],
    [[{ $changeStream: {} }], 40573, /only supported on replica sets/],
    [[{ $setWindowFields: {} }], 115, /\$setWindowFields is not supported/],
    [[{ $unwind: 'a' }], 28818, /prefixed with a '\$'/],
    [[{ $count: '' }], 40157, /non-empty/],
    [[{ $facet: { a: [{ $out: 'x' }] } }], 40600, /not allowed/],
    [[{ $sort: { a: 2 } }], 15975, /ordering must be 1/],
  ];
  it.each(rows)('%j: %i', (stages, code, message) => {
    expect(() => compilePipeline(stagesOf(stages))).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });
});

describe('splitLeadingQuery', () => {
  it('splits off the stages that a query can answer, in their order', () => {
    const stages = stagesOf([{ $match: { a: 1 } }, { $sort: { b: 1 } }, { $limit: 5 }, { $match: { c: 1 } }]);
    expect(splitLeadingQuery(stages)).toEqual({
      filter: wire({ a: 1 }),
      sort: wire({ b: 1 }),
      limit: 5,
      rest: stages.slice(3),
    });
    const limited = stagesOf([{ $limit: 5 }, { $match: { c: 1 } }]);
    expect(splitLeadingQuery(limited)).toEqual({ filter: {}, limit: 5, rest: limited.slice(1) });
  });
});
