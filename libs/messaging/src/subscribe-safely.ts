import { Logger } from '@nestjs/common';
import type { Msg, NatsConnection, Subscription } from 'nats';

const log = new Logger('NATS');

/**
 * Subscribes with a callback that may fail: an exception in the client library would end its reading, and the
 * connection would hang.
 */
export function subscribeSafely(
  connection: NatsConnection,
  subject: string,
  take: (message: Msg) => void,
): Subscription {
  return connection.subscribe(subject, {
    callback: (error, message) => {
      try {
        if (error) throw error;
        take(message);
      } catch (failure) {
        log.error(`${subject}: ${failure}`);
      }
    },
  });
}
