import { currentTask, type Span } from '@moothall/tracing';
import type { Connection } from 'mongoose';

/**
 * Records for the current task how long it waits for the database: from the checkout of a connection to its return.
 * Both happen in the context of the caller, and the driver always reports them.
 */
export function noteWaits(connection: Connection): Connection {
  const client = connection.getClient();
  client.on('connectionCheckOutStarted', () => currentTask()?.begin('database'));
  for (const end of ['connectionCheckedIn', 'connectionCheckOutFailed'] as const)
    client.on(end, () => currentTask()?.end('database'));
  return connection;
}

/**
 * Creates a span of each command below that of its caller, with its name and collection, and without content. The
 * connection must be opened with `monitorCommands`, which makes the driver parse every answer twice.
 */
export function traceCommands(connection: Connection): Connection {
  const client = connection.getClient();
  const underWay = new Map<number, Span>();
  client.on('commandStarted', ({ requestId, commandName, databaseName, command }) => {
    const subject: unknown = command[commandName === 'getMore' ? 'collection' : commandName];
    const collection = typeof subject === 'string' ? subject : undefined;
    const span = currentTask()?.startSpan({
      kind: 'client',
      name: collection ? `${commandName} ${collection}` : commandName,
      attributes: {
        'db.system.name': 'mongodb',
        'db.namespace': databaseName,
        'db.operation.name': commandName,
        ...(collection && { 'db.collection.name': collection }),
      },
    });
    if (span) underWay.set(requestId, span);
  });
  const end = (requestId: number, error?: string) => {
    underWay.get(requestId)?.end({ error });
    underWay.delete(requestId);
  };
  client.on('commandSucceeded', ({ requestId }) => end(requestId));
  client.on('commandFailed', ({ requestId, failure }) => end(requestId, failure.name));
  return connection;
}
