import { connectNats, DeadLetters, OperationClient, securityOf } from '@moothall/messaging';
import type { NatsConnection } from 'nats';
import { differentKeys, resealOnce } from '../keys/reseal';
import { type Check, fault, fine, warning } from './finding';
import type { Installation } from './installation';

const streams = ['EVENTS', 'DEAD_LETTERS'];
/** So many unhandled events are more than a moment's. */
const manyPending = 10_000;

/** Checks of the message broker. */
export const natsChecks = ({ natsUrl }: Installation): Check[] =>
  natsUrl === undefined
    ? []
    : [
        { about: 'NATS', look: () => connected(natsUrl, lookAt) },
        { about: 'dead letters', look: () => connected(natsUrl, deadLetters) },
        { about: 'keys', look: () => connected(natsUrl, keys) },
      ];

async function connected<T>(url: string, work: (connection: NatsConnection) => Promise<T>): Promise<T> {
  const connection = await connectNats(url, 'doctor', securityOf(process.env));
  return work(connection).finally(() => connection.close());
}

async function lookAt(connection: NatsConnection) {
  const ms = await connection.rtt();
  const manager = await connection.jetstreamManager();
  const there = (await manager.streams.list().next()).map(({ config }) => config.name);
  const missing = streams.filter((name) => !there.includes(name));
  if (missing.length > 0)
    return [fault(`JetStream lacks ${missing.join(' and ')}; services make them when they start.`)];
  const behind = [];
  for await (const { name, num_pending } of manager.consumers.list('EVENTS'))
    if (num_pending > manyPending) behind.push(warning(`${name} is ${num_pending} events behind.`));
  return [fine(`NATS ${connection.info?.version} answers in ${ms} ms, with JetStream.`), ...behind];
}

async function deadLetters(connection: NatsConnection) {
  let count = 0;
  let latest = '';
  for await (const { durable, reason } of new DeadLetters(connection).list()) {
    count++;
    latest = `${durable}: ${reason.split('\n')[0]}`;
  }
  if (count === 0) return [fine('There are no dead letters.')];
  return [warning(`Dead letters: ${count}, the last of ${latest}. npm run dead-letters lists them.`)];
}

/** Whether all encrypted values use the first key, and can be decrypted. */
async function keys(connection: NatsConnection) {
  const { keyNames, seen, outdated, unreadable } = await resealOnce(new OperationClient(connection), true);
  const findings = [
    ...(keyNames.size > 1 ? [fault(differentKeys)] : []),
    ...(unreadable.length > 0
      ? [fault(`${unreadable.length} encrypted fields are under a key that no process has, as ${unreadable[0]}.`)]
      : []),
    ...(outdated > 0
      ? [warning(`${outdated} of ${seen} encrypted fields are under the former key: npm run keys -- reseal.`)]
      : []),
  ];
  return findings.length > 0 ? findings : [fine(`${seen} encrypted fields, all of them by the key in use.`)];
}
