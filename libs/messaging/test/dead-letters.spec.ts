import { randomUUID } from 'node:crypto';
import { commonErrors, type EventRecord, eventSubject, groupDeleted } from '@moothall/contracts';
import { startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import type { NatsConnection } from 'nats';
import {
  connectNats,
  type DeadLetter,
  DeadLetters,
  EventConsumer,
  EventPublisher,
  ensureEventStream,
  listen,
} from '../src';

/* Events that never succeed become dead letters, are listed, and can be handled again; events that only wait do not. */

let infrastructure: TestInfrastructure;
let connection: NatsConnection;
let publisher: EventPublisher;
let letters: DeadLetters;

beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
});
afterAll(() => infrastructure.stop());
beforeEach(async () => {
  connection = await connectNats(infrastructure.natsUrl, 'test');
  const manager = await connection.jetstreamManager();
  await ensureEventStream(manager);
  for (const stream of ['EVENTS', 'DEAD_LETTERS']) await manager.streams.purge(stream);
  publisher = new EventPublisher(connection);
  letters = new DeadLetters(connection);
});
afterEach(() => connection.close());

const deleted = (id: number, path = `g${id}`): EventRecord => ({
  id: randomUUID(),
  name: groupDeleted.name,
  data: { group_id: id, full_path: path },
  occurredAt: new Date().toISOString(),
});

async function all(): Promise<DeadLetter[]> {
  const found: DeadLetter[] = [];
  for await (const letter of letters.list()) found.push(letter);
  return found;
}

/** A consumer with a unique name that fails on request, and the events it received. */
async function follow(fail: () => Error | undefined, attempts = 2) {
  const durable = `trial-${randomUUID()}`;
  const heard: number[] = [];
  let tell = (): void => undefined;
  const consumer = new EventConsumer(connection, { attempts, onDeadLetter: () => tell() });
  await consumer.follow(groupDeleted, durable, async ({ data }) => {
    const failure = fail();
    if (failure) throw failure;
    heard.push(data.group_id);
    tell();
  });
  /** Resolves when the next event was handled or became a dead letter. */
  const next = () =>
    new Promise<void>((resolve) => {
      tell = resolve;
    });
  return { durable, heard, consumer, next };
}

it('makes a dead letter of an event that failed too often, with its reason, and continues with the others', async () => {
  let isBroken = true;
  const { durable, heard, consumer, next } = await follow(() => (isBroken ? new Error('no such column') : undefined));
  const aside = next();
  await publisher.publish(deleted(1));
  await aside;
  isBroken = false;
  expect(await all()).toEqual([
    expect.objectContaining({
      durable,
      reason: expect.stringContaining('no such column'),
      event: expect.objectContaining({ name: groupDeleted.name, data: { group_id: 1, full_path: 'g1' } }),
    }),
  ]);
  const handled = next();
  await publisher.publish(deleted(2));
  await handled;
  expect(heard).toEqual([2]);
  await consumer.close();
});

it('is replayed to its consumer only', async () => {
  let isBroken = true;
  const failing = await follow(() => (isBroken ? new Error('not yet') : undefined));
  const other = await follow(() => undefined);
  const passing: number[] = [];
  const stop = listen(connection, [groupDeleted.name], ({ data }) =>
    passing.push((data as { group_id: number }).group_id),
  );
  const aside = failing.next();
  await publisher.publish(deleted(3));
  await aside;
  isBroken = false;
  const handled = failing.next();
  const [letter] = await all();
  await letters.replay(letter!.sequence);
  await handled;
  const later = [failing.next(), other.next()];
  await publisher.publish(deleted(4));
  await Promise.all(later);
  expect({ failing: failing.heard, other: other.heard, passing }).toEqual({
    failing: [3, 4],
    other: [3, 4],
    passing: [3, 4],
  });
  expect(await all()).toEqual([]);
  stop();
  await Promise.all([failing.consumer.close(), other.consumer.close()]);
});

it('is created sooner if the event delays others', async () => {
  const heard: number[] = [];
  let behind = (): void => undefined;
  const goesOn = new Promise<void>((resolve) => {
    behind = resolve;
  });
  const durable = `trial-${randomUUID()}`;
  const consumer = new EventConsumer(connection, { attempts: 20, attemptsInOrder: 2 });
  await consumer.followInOrder([groupDeleted], durable, async ({ data }) => {
    const { group_id } = data as { group_id: number };
    heard.push(group_id);
    if (group_id === 1) throw new Error('never');
    behind();
  });
  await publisher.publish(deleted(1));
  await publisher.publish(deleted(2));
  await goesOn;
  expect(heard).toEqual([1, 1, 2]);
  expect(await all()).toEqual([expect.objectContaining({ durable })]);
  await consumer.close();
});

it('is deleted on request', async () => {
  const { consumer, next } = await follow(() => new Error('never'), 1);
  const aside = next();
  await publisher.publish(deleted(5));
  await aside;
  await letters.discard((await all())[0]!.sequence);
  expect(await all()).toEqual([]);
  await expect(letters.replay(999)).rejects.toThrow();
  await consumer.close();
});

it('is not created while a dependency of the handler is unavailable', async () => {
  let times = 0;
  const { heard, consumer, next } = await follow(() => (++times <= 3 ? commonErrors.unavailable() : undefined), 1);
  const handled = next();
  await publisher.publish(deleted(6));
  await handled;
  expect([heard, times, await all()]).toEqual([[6], 4, []]);
  await consumer.close();
});

it('releases pending events when it stops', async () => {
  let isAway = true;
  const { durable, consumer } = await follow(() => (isAway ? commonErrors.unavailable() : undefined), 1);
  await publisher.publish(deleted(7));
  const manager = await connection.jetstreamManager();
  const pending = async () => (await manager.consumers.info('EVENTS', durable)).num_ack_pending;
  while ((await pending()) === 0);
  await consumer.close();
  isAway = false;
  const successor = new EventConsumer(connection, { attempts: 2 });
  const heard = new Promise<number>((resolve) => {
    void successor.follow(groupDeleted, durable, async ({ data }) => resolve(data.group_id));
  });
  expect(await heard).toBe(7);
  await successor.close();
});

it('is created for an invalid event', async () => {
  const { consumer, next } = await follow(() => undefined, 1);
  const aside = next();
  await connection.jetstream().publish(eventSubject(groupDeleted.name), 'no JSON');
  await aside;
  const [letter] = await all();
  expect(letter).toMatchObject({ event: undefined, reason: expect.stringMatching(/JSON/i) });
  await consumer.close();
});

it('is listed without a reason if none is known', async () => {
  await connection.jetstream().publish('dead_letters.somebody', '{}');
  expect(await all()).toEqual([expect.objectContaining({ durable: '', reason: '' })]);
});

it('carries events that are larger than a message, to consumers, listeners and dead letters', async () => {
  const path = 'ü'.repeat(5_000_000);
  let isBroken = true;
  const { consumer, next } = await follow(() => (isBroken ? new Error('not yet') : undefined), 1);
  const listened = new Promise<unknown>((resolve) => {
    listen(connection, [groupDeleted.name], ({ data }) => resolve(data));
  });
  await connection.flush();
  const aside = next();
  await publisher.publish(deleted(8, path));
  expect(await listened).toEqual({ group_id: 8, full_path: path });
  await aside;
  isBroken = false;
  const handled = next();
  const [letter] = await all();
  expect(letter!.event!.data).toEqual({ group_id: 8, full_path: path });
  await letters.replay(letter!.sequence);
  await handled;
  await consumer.close();
});
