import { type Operation, operations } from '@moothall/contracts';
import fc from 'fast-check';
import { MongoClient } from 'mongodb';
import { OwnServer } from '../server/own-server';
import { isOptional, parametersOf } from './changes';
import { Pairs } from './pairs';
import { makeResource, notTried, recipes } from './resources';
import { makeWorld, type World } from './world';

/*
 * Of two concurrent changes of different fields of one record neither is lost. Every PUT and PATCH of the contracts,
 * each pair of its optional fields; a sample of them in `npm test`, all with PAIRS=all.
 */

const isWhole = process.env.PAIRS === 'all';
const pairsEach = 2;
const seed = 14;
/** Writes take this long, so that both changes have read before either is written. */
const writeMs = 20;

const server = new OwnServer();
let world: World;

beforeAll(async () => {
  await server.start();
  world = await makeWorld(server);
  const mongo = await MongoClient.connect(server.mongodbUri);
  await mongo.db('admin').command({
    configureFailPoint: 'failCommand',
    mode: 'alwaysOn',
    data: { failCommands: ['update', 'findAndModify'], blockConnection: true, blockTimeMS: writeMs },
  });
  await mongo.close();
}, 180_000);
afterAll(() => server.stop());

const hasPairs = (operation: Operation): boolean =>
  Object.values(parametersOf(operation)).filter(isOptional).length > 1;
const updates = operations.filter((one) => /^(PUT|PATCH)$/.test(one.routes[0]?.method ?? '') && hasPairs(one));

it('every operation that changes more than one field is tried, or listed with a reason', () => {
  const names = updates.map(({ name }) => name);
  expect([...Object.keys(recipes), ...Object.keys(notTried)].sort()).toEqual(names.sort());
});

it.each(Object.keys(recipes))(
  '%s: two concurrent changes are both stored',
  async (name) => {
    const pairs = new Pairs(server, await makeResource(name, world));
    const tried = isWhole ? pairs.all() : sampleOf(pairs.all());
    const unseen = await pairs.learn([...new Set(tried.flat())]);
    expect(unseen).toEqual([]);
    const losses = [];
    for (const pair of tried) losses.push(await pairs.lossOf(pair));
    await pairs.restore();
    expect(losses.filter(Boolean)).toEqual([]);
  },
  isWhole ? 3_600_000 : 120_000,
);

function sampleOf<T>(pairs: T[]): T[] {
  const length = Math.min(pairsEach, pairs.length);
  const some = fc.shuffledSubarray(pairs, { minLength: length, maxLength: length });
  return fc.sample(some, { seed, numRuns: 1 })[0]!;
}
