import { startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import { type Connection, createConnection, type Model, Schema } from 'mongoose';
import { addWithin } from '../src';

let infrastructure: TestInfrastructure;
let connection: Connection;
let things: Model<Thing>;
beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
  const dbName = `${infrastructure.mongodbPrefix}_add_within`;
  connection = await createConnection(infrastructure.mongodbUri, { dbName }).asPromise();
  things = connection.model<Thing>('Thing', new Schema<Thing>({ _id: Number, owner: Number }));
});
afterEach(() => fail('off', {}));
afterAll(async () => {
  await connection?.close();
  await infrastructure?.stop();
});

interface Thing {
  _id: number;
  owner: number;
}
const fail = (mode: unknown, data: object) =>
  connection.getClient().db('admin').command({ configureFailPoint: 'failCommand', mode, data });

let last = 0;
const add = (owner: number, most: number) =>
  addWithin({ model: things, filter: { owner }, most, refusal: () => new Error('full') }, async () =>
    (await things.create({ _id: ++last, owner })).toObject(),
  );
const countOf = (owner: number) => things.countDocuments({ owner });

it('adds as many as there may be, one after another', async () => {
  for (let number = 0; number < 3; number++) expect(await add(1, 3)).toMatchObject({ owner: 1 });
  await expect(add(1, 3)).rejects.toThrow('full');
  expect(await countOf(1)).toBe(3);
  await expect(add(1, Number.POSITIVE_INFINITY)).resolves.toMatchObject({ owner: 1 });
});

it('adds none beyond the limit under concurrent requests, and refuses the others', async () => {
  const results = await Promise.allSettled(Array.from({ length: 40 }, () => add(2, 5)));
  const added = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value._id] : []));
  const kept = await things.find({ owner: 2 }).sort({ _id: 1 }).lean<Thing[]>();
  expect(kept.map(({ _id }) => _id)).toEqual(added.sort((one, other) => one - other));
  expect(kept.length).toBeLessThanOrEqual(5);
});

it('leaves nothing if counting again fails', async () => {
  await add(3, 5);
  // Both counts are aggregations, and the second of them fails, and its retry.
  const error = { failCommands: ['aggregate'], errorCode: 14031 };
  await fail({ skip: 1 }, error);
  await expect(add(3, 5)).rejects.toThrow();
  await fail('off', {});
  expect(await countOf(3)).toBe(1);
});
