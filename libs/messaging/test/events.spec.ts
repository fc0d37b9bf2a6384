import { randomUUID } from 'node:crypto';
import { type EventRecord, eventSubject, groupChanged, groupDeleted } from '@moothall/contracts';
import { startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import { AckPolicy, DeliverPolicy, type NatsConnection, nanos } from 'nats';
import { connectNats, EventConsumer, EventPublisher, ensureEventStream, listen } from '../src';

let infrastructure: TestInfrastructure;
let connection: NatsConnection;
let publisher: EventPublisher;

beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
  connection = await connectNats(infrastructure.natsUrl, 'test');
  await ensureEventStream(await connection.jetstreamManager());
  publisher = new EventPublisher(connection);
});
afterAll(async () => {
  await connection.close();
  await infrastructure.stop();
});

const deleted = (id: number): EventRecord => ({
  id: randomUUID(),
  name: groupDeleted.name,
  data: { group_id: id, full_path: `g${id}` },
  occurredAt: new Date().toISOString(),
});

/** Resolves with the received group ids, when there are that many. */
function collect(count: number) {
  const heard: number[] = [];
  let done = (_: number[]) => {};
  const all = new Promise<number[]>((resolve) => {
    done = resolve;
  });
  return {
    all,
    take: (id: number) => {
      heard.push(id);
      if (heard.length === count) done(heard);
    },
  };
}

it('continues after a stop at its position', async () => {
  const before = collect(1);
  const first = new EventConsumer(connection);
  await first.follow(groupDeleted, 'resumes', async ({ data }) => before.take(data.group_id));
  await publisher.publish(deleted(1));
  expect(await before.all).toEqual([1]);
  await first.close();
  await publisher.publish(deleted(2));
  const after = collect(1);
  const second = new EventConsumer(connection);
  await second.follow(groupDeleted, 'resumes', async ({ data }) => after.take(data.group_id));
  expect(await after.all).toEqual([2]);
  await second.close();
});

it('delivers events of a silent consumer to another within seconds, whichever created the position', async () => {
  const manager = await connection.jetstreamManager();
  // As an earlier version created it.
  await manager.consumers.add('EVENTS', {
    durable_name: 'older',
    filter_subject: eventSubject(groupDeleted.name),
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(60_000),
  });
  const consumer = new EventConsumer(connection);
  await consumer.follow(groupDeleted, 'older', async () => undefined);
  expect((await manager.consumers.info('EVENTS', 'older')).config.ack_wait).toBe(nanos(15_000));
  await consumer.close();
});

it('hands an event again to a handler that failed', async () => {
  const succeeded = collect(1);
  let attempts = 0;
  const consumer = new EventConsumer(connection);
  await consumer.follow(groupDeleted, 'retries', async ({ data }) => {
    if (data.group_id !== 3) return;
    attempts++;
    if (attempts === 1) throw new Error('not yet');
    succeeded.take(attempts);
  });
  await publisher.publish(deleted(3));
  expect(await succeeded.all).toEqual([2]);
  await consumer.close();
});

it('stores an event once that is published twice', async () => {
  const heard = collect(2);
  const event = deleted(4);
  await publisher.publish(event);
  await publisher.publish(event);
  await publisher.publish(deleted(5));
  const consumer = new EventConsumer(connection);
  await consumer.follow(groupDeleted, 'once', async ({ data }) => {
    if (data.group_id >= 4) heard.take(data.group_id);
  });
  expect(await heard.all).toEqual([4, 5]);
  await consumer.close();
});

it('continues after an invalid message, and after a failure of the listener', async () => {
  const heard = collect(1);
  const stop = listen(connection, [groupDeleted.name], ({ data }) => {
    if ((data as { group_id: number }).group_id === 7) throw new Error('not this one');
    heard.take((data as { group_id: number }).group_id);
  });
  await connection.flush();
  connection.publish(eventSubject(groupDeleted.name), 'no JSON');
  await publisher.publish(deleted(7));
  await publisher.publish(deleted(8));
  expect(await heard.all).toEqual([8]);
  stop();
});

it('delivers to caches the events that they subscribe to', async () => {
  const heard = collect(1);
  const names = [groupDeleted.name, 'identity.>'];
  const stop = listen(connection, names, ({ data }) => heard.take((data as { group_id: number }).group_id));
  await connection.flush();
  await publisher.publish({ ...deleted(5), name: groupChanged.name });
  await publisher.publish(deleted(6));
  expect(await heard.all).toEqual([6]);
  stop();
});
