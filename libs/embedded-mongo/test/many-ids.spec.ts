import { type Document, ObjectId } from 'bson';
import type { Collection } from 'mongodb';
import { TestServer } from './test-server';

// An id has no buffer of its own: each access creates one, in blocks of 8 KB. Code that mixes two accesses fails at
// the end of a block, which a few ids rarely meet, and thousands do.

interface Item {
  _id: ObjectId;
  plain: ObjectId;
  within: { id: ObjectId };
  list: ObjectId[];
}

const newIds = (count: number) => Array.from({ length: count }, () => new ObjectId());
const known = newIds(3000);
const chosen = known.filter((_, at) => at % 3 !== 0);
const others = known.filter((_, at) => at % 3 === 0);
/** A query for more ids than exist. */
const asked = [...chosen, ...newIds(1000)];

let server: TestServer;
let items: Collection<Item>;
let lists: Collection<Pick<Item, 'list'>>;

beforeAll(async () => {
  server = await TestServer.start();
  const database = await server.database('ids');
  items = database.collection('items');
  lists = database.collection('lists');
  await items.insertMany(known.map((id) => ({ _id: id, plain: id, within: { id }, list: [id] })));
});
afterAll(() => server.stop());

const hexes = (ids: readonly ObjectId[]) => ids.map((id) => id.toHexString()).sort();

const found = async (filter: Document) => hexes((await items.find(filter).toArray()).map(({ _id }) => _id));

describe.each(['_id', 'plain', 'within.id', 'list'])('of thousands of ids in %s', (path) => {
  it('$in finds each, and $nin the others', async () => {
    expect(await found({ [path]: { $in: asked } })).toEqual(hexes(chosen));
    expect(await found({ [path]: { $nin: asked } })).toEqual(hexes(others));
    expect(await items.countDocuments({ [path]: { $in: asked } })).toBe(chosen.length);
  });

  it('distinct, $group and $lookup find each', async () => {
    expect(hexes(await items.distinct(path, { [path]: { $in: asked } }))).toEqual(hexes(chosen));
    const stages = [{ $unwind: `$${path}` }, { $group: { _id: `$${path}`, count: { $sum: 1 } } }];
    const groups = await items.aggregate<{ _id: ObjectId; count: number }>(stages).toArray();
    expect(hexes(groups.map(({ _id }) => _id))).toEqual(hexes(known));
    expect(groups.filter(({ count }) => count !== 1)).toEqual([]);
    const join = { from: 'items', localField: path, foreignField: path, as: 'same' };
    const joined = await items.aggregate([{ $lookup: join }, { $match: { same: { $size: 1 } } }]).toArray();
    expect(joined).toHaveLength(known.length);
  });
});

describe('of a list of thousands of ids', () => {
  const listed = async () => hexes((await lists.findOne())!.list);
  beforeEach(() => lists.replaceOne({}, { list: known }, { upsert: true }));

  it.each<[string, Document]>([
    ['$pull with $in', { $pull: { list: { $in: asked } } }],
    ['$pullAll', { $pullAll: { list: asked } }],
  ])('%s finds each named one', async (_, update) => {
    await lists.updateOne({}, update);
    expect(await listed()).toEqual(hexes(others));
  });

  it('$addToSet adds only missing ones', async () => {
    await lists.updateOne({}, { $addToSet: { list: { $each: asked } } });
    expect(await listed()).toEqual(hexes([...known, ...asked.slice(chosen.length)]));
  });

  it.each<[string, ObjectId[]]>([
    ['$setIntersection', chosen],
    ['$setDifference', others],
    ['$setUnion', [...known, ...asked.slice(chosen.length)]],
  ])('%s matches each', async (operator, expected) => {
    const stages = [{ $project: { set: { [operator]: ['$list', asked] } } }];
    const [{ set }] = (await lists.aggregate(stages).toArray()) as [{ set: ObjectId[] }];
    expect(hexes(set)).toEqual(hexes(expected));
  });
});
