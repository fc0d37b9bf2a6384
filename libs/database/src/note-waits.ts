import { currentTask } from '@moothall/tracing';
import type { Connection } from 'mongoose';

/**
 * Notes down, for what is worked on, how long it waits for the database: from when it asks for a connection until it gives
 * that back. Both happen in the course of whoever asks, and the driver tells of them in any case.
 */
export function noteWaits(connection: Connection): Connection {
  const client = connection.getClient();
  client.on('connectionCheckOutStarted', () => currentTask()?.begin('database'));
  for (const end of ['connectionCheckedIn', 'connectionCheckOutFailed'] as const)
    client.on(end, () => currentTask()?.end('database'));
  return connection;
}
