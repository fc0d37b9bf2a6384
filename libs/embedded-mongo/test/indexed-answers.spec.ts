import * as fc from 'fast-check';
import { type Collection, Decimal128, type Document, Double, type FindOptions, Long } from 'mongodb';
import { TestServer } from './test-server';

/** A randomised comparison: with any indexes, a query must return what a scan of all documents returns. */

let server: TestServer;
let scanned: Collection<Document>;
let indexed: Collection<Document>;

beforeAll(async () => {
  server = await TestServer.start();
  const database = await server.database('answers');
  scanned = database.collection('scanned');
  indexed = database.collection('indexed');
});
afterAll(() => server.stop());

const scalar = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -3, max: 6 }) },
  fc.constantFrom(
    2.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    new Double(3),
    Long.fromNumber(4),
    Decimal128.fromString('2.50'),
  ),
  fc.constantFrom('', 'a', 'A', 'ab', 'aB', 'abc', 'b', 'z'),
  fc.constantFrom(null, true, false, new Date(0), new Date(5000)),
);
const inner = fc.oneof(
  { weight: 4, arbitrary: scalar },
  fc.array(scalar, { maxLength: 3 }),
  fc.record({ x: scalar, y: scalar }, { requiredKeys: [] }),
);
const value = fc.oneof(
  { weight: 5, arbitrary: scalar },
  { weight: 2, arbitrary: fc.array(inner, { maxLength: 3 }) },
  { weight: 2, arbitrary: fc.record({ x: inner, y: inner }, { requiredKeys: [] }) },
);
const document = fc.record({ a: value, b: value, c: scalar }, { requiredKeys: [] });

const path = fc.constantFrom('a', 'b', 'c', 'a.x', 'a.y', 'b.x');
const condition = fc.oneof(
  { weight: 4, arbitrary: inner.map((operand) => ({ $eq: operand })) },
  { weight: 2, arbitrary: fc.array(scalar, { maxLength: 3 }).map(($in) => ({ $in })) },
  fc
    .array(fc.oneof(scalar, fc.constantFrom(/^a/, /^ab?/, /b$/)), { minLength: 1, maxLength: 3 })
    .map(($in) => ({ $in })),
  fc
    .tuple(fc.constantFrom('$gt', '$gte', '$lt', '$lte', '$ne'), scalar)
    .map(([operator, operand]) => ({ [operator]: operand })),
  fc.tuple(scalar, scalar).map(([$gte, $lt]) => ({ $gte, $lt })),
  fc.boolean().map(($exists) => ({ $exists })),
  fc.constantFrom('^a', '^ab?', 'b$', '^').map(($regex) => ({ $regex })),
  fc.tuple(scalar, scalar).map(([$gt, $lte]) => ({ $elemMatch: { $gt, $lte } })),
  fc.tuple(scalar, scalar).map(([x, y]) => ({ $elemMatch: { x, y: { $gte: y } } })),
  fc.integer({ min: 0, max: 3 }).map(($size) => ({ $size })),
  scalar.map((operand) => ({ $not: { $gt: operand } })),
  inner.map((operand) => ({ $not: { $eq: operand } })),
  fc.constantFrom('null', 'number', 'double', 'int', 'string', 'array', 'object', 'bool').map(($type) => ({ $type })),
  fc.subarray(['null', 'string', 'array'], { minLength: 1 }).map(($type) => ({ $type })),
  fc.array(scalar, { maxLength: 3 }).map(($nin) => ({ $nin })),
  fc.array(scalar, { minLength: 1, maxLength: 2 }).map(($all) => ({ $all })),
  fc.constantFrom([2, 0], [3, 1]).map(($mod) => ({ $mod })),
  // A value without an operator is equality, too.
  scalar,
);
const clause = fc.tuple(path, condition).map(([name, test]) => ({ [name]: test }));
const filter = fc.oneof(
  { weight: 3, arbitrary: fc.array(clause, { minLength: 1, maxLength: 3 }).map(($and) => ({ $and })) },
  fc.array(clause, { minLength: 1, maxLength: 3 }).map(($or) => ({ $or })),
  fc.tuple(clause, clause, clause).map(([one, two, three]) => ({ $and: [one, { $or: [two, three] }] })),
);

const direction = fc.constantFrom<1 | -1>(1, -1);
const keys = fc
  .uniqueArray(fc.tuple(path, direction), { minLength: 1, maxLength: 3, selector: ([name]) => name })
  .filter((fields) => !overlapping(fields.map(([name]) => name)));
const index = fc.record({
  keys,
  kind: fc.constantFrom('plain', 'plain', 'sparse', 'partial range', 'partial exists'),
});
const options = fc.constantFrom<FindOptions>(
  {},
  {},
  { collation: { locale: 'en', strength: 1 } },
  { collation: { locale: 'en', strength: 2 } },
);
const sort = fc
  .uniqueArray(fc.tuple(path, direction), { maxLength: 2, selector: ([name]) => name })
  .filter((fields) => !overlapping(fields.map(([name]) => name)));

/** An index on a field and on one within it, both of which may be arrays, is refused for parallel arrays too easily. */
function overlapping(names: string[]): boolean {
  return names.some((one) => names.some((other) => other.startsWith(`${one}.`)));
}

function optionsOf(kind: string, [first]: [string, 1 | -1][]): Document {
  if (kind === 'sparse') return { sparse: true };
  if (kind === 'partial range') return { partialFilterExpression: { [first![0]]: { $gte: 0 } } };
  return kind === 'partial exists' ? { partialFilterExpression: { c: { $exists: true } } } : {};
}

/** Parallel arrays cannot be indexed; such a document is in none of both collections. */
async function insertBoth(documents: Document[]): Promise<void> {
  await indexed.insertMany(documents, { ordered: false }).catch((error) => {
    for (const { err } of error.writeErrors) if (err.code !== 171) throw error;
  });
  const kept = await indexed.find().toArray();
  if (kept.length > 0) await scanned.insertMany(kept);
}

const ids = (documents: Document[]): number[] => documents.map(({ _id }) => _id);
const ascending = (numbers: number[]): number[] => numbers.sort((a, b) => a - b);

async function compare(query: Document, order: [string, 1 | -1][], options: FindOptions): Promise<void> {
  const expected = await scanned.find(query, options).toArray();
  expect(ascending(ids(await indexed.find(query, options).toArray()))).toEqual(ascending(ids(expected)));
  expect(await indexed.countDocuments(query, options)).toBe(expected.length);
  const sorting = Object.fromEntries([...order, ['_id', 1]]) as Record<string, 1 | -1>;
  const sorted = ids(await scanned.find(query, options).sort(sorting).toArray());
  expect(ids(await indexed.find(query, options).sort(sorting).toArray())).toEqual(sorted);
  expect(ids(await indexed.find(query, options).sort(sorting).skip(1).limit(2).toArray())).toEqual(sorted.slice(1, 3));
}

test('an indexed collection answers every query as a scan does', async () => {
  const scenario = fc.record({
    documents: fc.array(document, { minLength: 3, maxLength: 20 }),
    indexes: fc.array(index, { minLength: 1, maxLength: 3 }),
    builtFirst: fc.boolean(),
    changes: fc.array(fc.tuple(fc.nat(19), path, value), { maxLength: 5 }),
    removed: fc.array(fc.nat(19), { maxLength: 3 }),
    queries: fc.array(fc.tuple(filter, sort, options), { minLength: 8, maxLength: 8 }),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ documents, indexes, builtFirst, changes, removed, queries }) => {
      await Promise.all([scanned.drop(), indexed.drop()]);
      const build = async (): Promise<void> => {
        for (const [at, { keys: fields, kind }] of indexes.entries()) {
          await indexed
            .createIndex(Object.fromEntries(fields), { name: `index ${at}`, ...optionsOf(kind, fields) })
            .catch((error) => {
              if (![85, 171].includes(error.code)) throw error;
            });
        }
      };
      if (builtFirst) await build();
      await insertBoth(documents.map((each, _id) => ({ _id, ...each })) as Document[]);
      if (!builtFirst) await build();
      for (const [_id, name, to] of changes) {
        const change = { $set: { [name]: to } };
        const isDone = await indexed.updateOne({ _id } as Document, change).catch((error) => {
          if (![28, 171].includes(error.code)) throw error;
        });
        if (isDone) await scanned.updateOne({ _id } as Document, change);
      }
      for (const _id of removed)
        await Promise.all([indexed.deleteOne({ _id } as Document), scanned.deleteOne({ _id } as Document)]);
      for (const [query, order, how] of queries) await compare(query, order, how);
    }),
    { numRuns: Number(process.env.INDEXED_ANSWERS_RUNS ?? 60) },
  );
}, 600_000);

/** Numbers of all types that are equal are one value. */
const shown = (each: unknown): string =>
  typeof each === 'number' || each instanceof Decimal128 ? `number ${Number(each)}` : JSON.stringify(each);

test('the values of a field are the same whether all documents are read or one for each', async () => {
  const few = fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 0, max: 3 }) }, scalar);
  const record = fc.record({ a: fc.constantFrom(1, 2), b: few, c: few }, { requiredKeys: [] });
  const scenario = fc.record({
    // Of many that are alike the scan leaps over some.
    documents: fc.array(record, { minLength: 60, maxLength: 200 }),
    directions: fc.tuple(direction, direction, direction),
    withArray: fc.boolean(),
    filters: fc.array(fc.tuple(fc.constantFrom(undefined, 1, 2, null), fc.option(few), fc.option(few)), {
      minLength: 4,
      maxLength: 4,
    }),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ documents, directions: [a, b, c], withArray, filters }) => {
      await Promise.all([scanned.drop(), indexed.drop()]);
      await indexed.createIndex({ a, b, c });
      const all: Document[] = withArray ? [...documents, { a: 1, b: [7, 8] }] : documents;
      await insertBoth(all.map((each, _id) => ({ _id, ...each })));
      for (const [first, from, third] of filters) {
        const query = {
          ...(first !== undefined && { a: first }),
          ...(from !== null && { b: { $gte: from } }),
          ...(third !== null && { c: third }),
        } as Document;
        for (const name of ['a', 'b', 'c']) {
          const expected = (await scanned.distinct(name, query)).map(shown).sort();
          expect((await indexed.distinct(name, query)).map(shown).sort()).toEqual(expected);
        }
      }
    }),
    { numRuns: Number(process.env.INDEXED_ANSWERS_RUNS ?? 60) },
  );
}, 600_000);
