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
/** Longer than a busy machine is silent. */
const steady = { ...quick, lostAfterMs: 10_000 };
let number = 0;
const newName = () => `lease ${++number}`;

it('belongs to one process at a time, and to the next one after its release', async () => {
  const name = newName();
  const first = new Lease(records(), name, steady);
  await first.take();
  const second = new Lease(records(), name, steady);
  expect(await second.tryTake()).toBe(false);
  const waitedFor: number[] = [];
  const taken = second.take(({ pid }) => waitedFor.push(pid));
  while (waitedFor.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  expect([first.isHeld, second.isHeld]).toEqual([true, false]);
  await first.giveUp();
  await taken;
  expect([first.isHeld, second.isHeld, waitedFor]).toEqual([false, true, [process.pid]]);
  await second.giveUp();
  expect(await records().findOne({ _id: name })).toBeNull();
});

it('is passed on among ten concurrent processes', async () => {
  const name = newName();
  let holders = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      const lease = new Lease(records(), name, steady);
      await lease.take();
      most = Math.max(most, ++holders);
      await new Promise((resolve) => setImmediate(resolve));
      holders--;
      await lease.giveUp();
    }),
  );
  expect(most).toBe(1);
});

it('is acquired in time also by a process that rarely polls', async () => {
  const name = newName();
  const elsewhere = { host: 'far', pid: 1, identity: 'x', place: 'another machine', lease: 'l' };
  await records().insertOne({ _id: name, owner: elsewhere, beat: 3, takenAt: new Date() });
  const lease = new Lease(records(), name, { ...quick, lookEveryMs: 3_600_000 });
  await lease.take();
  expect(lease.isHeld).toBe(true);
  await lease.giveUp();
});

it('notifies an owner that has lost it', async () => {
  const name = newName();
  const lost = new Promise((resolve) => {
    const lease = new Lease(records(), name, { ...quick, onLost: (by) => resolve([by?.host, lease.isHeld]) });
    void lease
      .take()
      .then(() => records().updateOne({ _id: name }, { $set: { 'owner.lease': 'other', 'owner.host': 'far' } }));
  });
  expect(await lost).toEqual(['far', false]);
});

// A suspended process, or one whose clock was set, may have been replaced: it checks before it continues.
it('is valid while it is renewed, and checked in the database after a pause', async () => {
  const name = newName();
  const slow = { ...steady, renewEveryMs: 60_000 };
  const lost = jest.fn();
  const lease = new Lease(records(), name, { ...slow, onLost: lost });
  expect(await lease.isCertain()).toBe(false);
  await lease.take();
  expect(await lease.isCertain()).toBe(true);
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
  expect(await lease.isCertain()).toBe(true);
  await records().updateOne({ _id: name }, { $set: { 'owner.lease': 'other', 'owner.host': 'far' } });
  expect(await lease.isCertain()).toBe(true);
  clock.mockReturnValue(Date.now() + 7_200_000);
  expect(await lease.isCertain()).toBe(false);
  expect([lease.isHeld, lost.mock.calls.length]).toEqual([false, 1]);
  clock.mockRestore();
});

// No two clocks are compared.
it.each([-1, 1])('is neither lost nor taken early if a clock is %i hour off', async (hours) => {
  const name = newName();
  const patient = { ...quick, lostAfterMs: 1_500 };
  const holder = new Lease(records(), name, patient);
  await holder.take();
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + hours * 3_600_000);
  const other = new Lease(records(), name, patient);
  const isTaken = other.take(undefined, AbortSignal.timeout(3 * patient.lostAfterMs)).then(
    () => true,
    () => false,
  );
  expect(await isTaken).toBe(false);
  expect([holder.isHeld, await holder.isCertain()]).toEqual([true, true]);
  clock.mockRestore();
  await holder.giveUp();
});
