import { Lease, type LeaseRecord } from '@moothall/background';
import { startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import mongoose, { type Connection } from 'mongoose';

let infrastructure: TestInfrastructure;
let connection: Connection;
beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
  connection = await mongoose.createConnection(infrastructure.mongodbUri).asPromise();
});
afterAll(async () => {
  await connection.close();
  await infrastructure.stop();
});
const records = () => connection.collection<LeaseRecord>('leases');
const quick = { renewEveryMs: 50, lostAfterMs: 400, lookEveryMs: 20 };

let number = 0;
const newName = () => `lease ${++number}`;

it('is acquired from a remote owner that no longer renews it, and immediately from a local one that ended', async () => {
  const name = newName();
  const elsewhere = { host: 'far', pid: 1, identity: 'x', place: 'another machine', lease: 'l' };
  await records().insertOne({ _id: name, owner: elsewhere, beat: 3, takenAt: new Date() });
  const startedAt = performance.now();
  const lease = new Lease(records(), name, quick);
  expect(await lease.tryTake()).toBe(false);
  await lease.take();
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(quick.lostAfterMs);
  const { owner } = (await records().findOne({ _id: name }))!;
  await lease.giveUp();
  const ended = { ...owner, pid: 2 ** 22 + 1, lease: 'ended' };
  await records().insertOne({ _id: name, owner: ended, beat: 3, takenAt: new Date() });
  const next = new Lease(records(), name, quick);
  expect(await next.tryTake()).toBe(true);
  await next.giveUp();
});
