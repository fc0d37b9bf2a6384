import { startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import { type Connection, createConnection, type Model, Schema } from 'mongoose';
import { changeDocument } from '../src';

interface Account {
  _id: number;
  balance: number;
  limit?: number | null;
  tags?: string[];
  address?: { city: string };
}

let infrastructure: TestInfrastructure;
let connection: Connection;
let accounts: Model<Account>;
beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
  const dbName = `${infrastructure.mongodbPrefix}_change`;
  connection = await createConnection(infrastructure.mongodbUri, { dbName }).asPromise();
  const address = new Schema({ city: String }, { _id: false });
  const fields = { _id: Number, balance: Number, limit: Number, tags: { type: [String], default: undefined }, address };
  accounts = connection.model<Account>('Account', new Schema<Account>(fields as never));
});
afterAll(async () => {
  await connection?.close();
  await infrastructure?.stop();
});

it('loses none of a hundred concurrent changes', async () => {
  await accounts.create({ _id: 1, balance: 0 });
  const add = () =>
    changeDocument(accounts, { _id: 1 }, ['balance'], ({ balance }) => ({ $set: { balance: balance + 1 } }));
  await Promise.all(Array.from({ length: 100 }, add));
  expect(await accounts.findById(1).lean()).toMatchObject({ balance: 100 });
});

it.each([
  ['a field that is not there', { _id: 2, balance: 1 }],
  ['null', { _id: 3, balance: 1, limit: null }],
  ['a list and a document', { _id: 4, balance: 1, tags: ['b', 'a'], address: { city: 'Ghent' } }],
  ['an empty list', { _id: 5, balance: 1, tags: [] }],
])('compares the read value: %s', async (_, account) => {
  await accounts.collection.insertOne(account as never);
  const fields = ['limit', 'tags', 'address'] as const;
  const changed = await changeDocument(accounts, { _id: account._id }, fields, () => ({ $set: { balance: 2 } }));
  expect(changed).toEqual({ ...account, balance: 2 });
});

it.each([
  [{ limit: null }, { $set: { limit: 1 } }],
  [{ tags: ['a', 'b'] }, { $set: { tags: ['b', 'a'] } }],
  [{ address: { city: 'Ghent' } }, { $set: { address: { city: 'Bruges' } } }],
])('computes the change again if %j was changed meanwhile', async (account, meanwhile) => {
  const _id = Math.floor(Math.random() * 1e9);
  await accounts.collection.insertOne({ _id, balance: 1, ...account } as never);
  const seen: unknown[] = [];
  await changeDocument(accounts, { _id }, ['limit', 'tags', 'address'], async (current) => {
    seen.push(current);
    if (seen.length === 1) await accounts.collection.updateOne({ _id: _id as never }, meanwhile);
    return { $set: { balance: 5 } };
  });
  expect(seen).toHaveLength(2);
});

it('minds no field that it was not worked out of', async () => {
  await accounts.create({ _id: 20, balance: 1 });
  let tries = 0;
  await changeDocument(accounts, { _id: 20 }, ['balance'], async () => {
    tries++;
    await accounts.updateOne({ _id: 20 }, { $set: { limit: 3 } });
    return { $set: { tags: ['x'] } };
  });
  expect(tries).toBe(1);
  expect(await accounts.findById(20).lean()).toMatchObject({ balance: 1, limit: 3, tags: ['x'] });
});

it('writes nothing without a change, finds nothing without a document, and passes on errors', async () => {
  expect(await changeDocument(accounts, { _id: 20 }, [], () => undefined)).toMatchObject({ balance: 1 });
  expect(await changeDocument(accounts, { _id: 999 }, [], () => ({ $set: { balance: 1 } }))).toBeNull();
  const refuse = () => Promise.reject(new Error('no'));
  await expect(changeDocument(accounts, { _id: 20 }, [], refuse)).rejects.toThrow('no');
});
