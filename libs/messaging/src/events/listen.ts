import { type EventRecord, eventSubject } from '@moothall/contracts';
import { unattended } from '@moothall/logging';
import { Logger } from '@nestjs/common';
import type { Msg, NatsConnection } from 'nats';
import { subscribeSafely } from '../subscribe-safely';
import { isReplay } from './dead-letters';
import { LargeEvents } from './large-events';

const log = new Logger('listen');
/** Called after a gap, for every cache of this process. */
const afterGaps = new Set<() => void>();

/**
 * Receives events without a durable position, for caches, which start empty.
 * @param names of events, or with a `>` for the rest of a name, as `projects.>`; others are not received, since every
 * received event must be parsed
 * @param afterGap called before the first event after a gap in the connection
 * @returns stops it
 */
export function listen(
  connection: NatsConnection,
  names: readonly string[],
  take: (event: EventRecord) => void,
  afterGap?: () => void,
): () => void {
  const events = new LargeEvents(connection);
  const takeMessage = (message: Msg): void => {
    if (isReplay(message)) return;
    // Immediately if possible, so that the next request is not answered from an outdated cache.
    if (message.data.length > 0) take(message.json<EventRecord>());
    else
      events
        .read(message)
        .then(take)
        .catch((error: unknown) => log.error(`${message.subject}: ${error}`));
  };
  const subscriptions = names.map((name) => subscribeSafely(connection, eventSubject(name), takeMessage));
  if (afterGap) {
    afterGaps.add(afterGap);
    unattended(names.join(', '), followGaps(connection, afterGap));
  }
  return () => {
    if (afterGap) afterGaps.delete(afterGap);
    for (const subscription of subscriptions) subscription.unsubscribe();
  };
}

/** Empties all caches that depend on events, as after a gap. */
export function emptyEventCaches(): void {
  for (const onGap of afterGaps) onGap();
}

async function followGaps(connection: NatsConnection, onGap: () => void): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === 'disconnect' || type === 'reconnect') onGap();
  }
}
