import { randomUUID } from 'node:crypto';
import { type EventRecord, groupChanged, groupDeleted } from '@moothall/contracts';
import { startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import type { NatsConnection } from 'nats';
import {
  connectNats,
  DeadLetters,
  EventConsumer,
  EventPublisher,
  ensureEventStream,
  type UnfollowedEvent,
  UnprocessedEvents,
} from '../src';

/* Events that only NATS has when the database is copied, and that are sent again after a restore. */

let infrastructure: TestInfrastructure;
let connection: NatsConnection;
let publisher: EventPublisher;
let unprocessed: UnprocessedEvents;

beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
});
afterAll(() => infrastructure.stop());
beforeEach(async () => {
  connection = await connectNats(infrastructure.natsUrl, 'test');
  await forgetAll();
  publisher = new EventPublisher(connection);
  unprocessed = new UnprocessedEvents(connection);
});
afterEach(() => connection.close());

/** The NATS of a restored backup: without the earlier streams. */
async function forgetAll(): Promise<void> {
  const manager = await connection.jetstreamManager();
  for (const name of ['EVENTS', 'DEAD_LETTERS']) await manager.streams.delete(name).catch(() => undefined);
  await ensureEventStream(manager);
}

const deleted = (id: number, path = `g${id}`): EventRecord => ({
  id: randomUUID(),
  name: groupDeleted.name,
  data: { group_id: id, full_path: path },
  occurredAt: new Date().toISOString(),
});

/** A consumer that has handled its events, once it received `count`. */
async function follow(durable: string, options: { inOrder?: boolean; fails?: boolean } = {}) {
  const heard: number[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const tell = () => {
    for (const { count, resolve } of waiting) if (heard.length >= count) resolve();
  };
  const consumer = new EventConsumer(connection, { attempts: 1, onDeadLetter: tell });
  const handler = async ({ data }: EventRecord) => {
    heard.push((data as { group_id: number }).group_id);
    if (options.fails) throw new Error('never');
    tell();
  };
  if (options.inOrder) await consumer.followInOrder([groupDeleted], durable, handler);
  else await consumer.follow(groupDeleted, durable, handler);
  const until = (count: number) =>
    new Promise<void>((resolve) => {
      waiting.push({ count, resolve });
      tell();
    });
  return { heard, until, stop: () => consumer.close() };
}

/** NATS counts acknowledgements a moment later. */
async function untilDone(durable: string): Promise<void> {
  const manager = await connection.jetstreamManager();
  for (;;) {
    const { num_pending, num_ack_pending } = await manager.consumers.info('EVENTS', durable);
    if (num_pending + num_ack_pending === 0) return;
  }
}

async function all(until: Date): Promise<UnfollowedEvent[]> {
  const found: UnfollowedEvent[] = [];
  for await (const one of unprocessed.list(await unprocessed.positions(), until)) found.push(one);
  return found;
}

it('sends events again to consumers that had not handled them, in order, and to no other', async () => {
  const quick = await follow('quick');
  const slow = await follow('slow', { inOrder: true });
  await publisher.publish(deleted(1));
  await Promise.all([quick.until(1), slow.until(1)]);
  await untilDone('slow');
  await slow.stop();
  for (const id of [2, 3, 4]) await publisher.publish(deleted(id, id === 3 ? 'x'.repeat(2_000_000) : 'g'));
  await quick.until(4);
  await untilDone('quick');
  await quick.stop();
  const found = await all(new Date());
  expect(found.map(({ event, durables }) => [(event.data as { group_id: number }).group_id, durables])).toEqual([
    [2, ['slow']],
    [3, ['slow']],
    [4, ['slow']],
  ]);

  await forgetAll();
  for (const one of found) await unprocessed.send(one);
  await publisher.publish(deleted(5));
  const again = { quick: await follow('quick'), slow: await follow('slow', { inOrder: true }) };
  await Promise.all([again.quick.until(1), again.slow.until(4)]);
  expect({ quick: again.quick.heard, slow: again.slow.heard }).toEqual({ quick: [5], slow: [2, 3, 4, 5] });
  await Promise.all([again.quick.stop(), again.slow.stop()]);
});

it('omits events after the moment, and events without a consumer', async () => {
  const follower = await follow('away');
  await follower.stop();
  await publisher.publish({ ...deleted(1), name: groupChanged.name });
  await publisher.publish(deleted(2));
  const moment = new Date();
  while (Date.now() <= moment.getTime() + 1) await new Promise(setImmediate);
  await publisher.publish(deleted(3));
  expect((await all(moment)).map(({ event }) => event.data)).toEqual([{ group_id: 2, full_path: 'g2' }]);
});

it('includes dead letters, for their consumer', async () => {
  const follower = await follow('failing', { fails: true });
  await publisher.publish(deleted(1));
  const letters = new DeadLetters(connection);
  while ((await letters.list().next()).done) await new Promise(setImmediate);
  await follower.stop();
  const found = await all(new Date());
  expect(found.at(-1)).toMatchObject({ durables: ['failing'], event: { data: { group_id: 1 } } });
});
