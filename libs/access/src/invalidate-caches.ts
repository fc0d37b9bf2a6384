import type { EventRecord } from '@moothall/contracts';
import { listen } from '@moothall/messaging';
import type { NatsConnection } from 'nats';

interface Cache {
  onEvent(event: EventRecord): void;
  forgetAll(): void;
}

/** Invalidates caches of callers, projects and groups by events, and empties them after a gap in the connection. @returns stops it */
export function invalidateCaches(connection: NatsConnection, caches: readonly Cache[]): () => void {
  return listen(
    connection,
    ['identity.>', 'projects.>'],
    (event) => {
      for (const cache of caches) cache.onEvent(event);
    },
    () => {
      for (const cache of caches) cache.forgetAll();
    },
  );
}
