import { tracingChannel } from 'node:diagnostics_channel';
import { errorWord, type Span } from './span';
import { currentTask } from './task';

/** A command as ioredis publishes it, from its start to its end. */
interface Command {
  command: string;
  error?: unknown;
}

let isSubscribed = false;

/**
 * Creates a span of each Redis command of a task, below that of its caller, with its name and without arguments. Once
 * for all connections of the process.
 * @see https://github.com/redis/ioredis for the channel `ioredis:command`
 */
export function traceRedis(): void {
  if (isSubscribed) return;
  isSubscribed = true;
  const underWay = new WeakMap<Command, Span>();
  tracingChannel<'ioredis:command', Command>('ioredis:command').subscribe({
    start: (command) => {
      const name = command.command.toUpperCase();
      const attributes = { 'db.system.name': 'redis', 'db.operation.name': name };
      const span = currentTask()?.startSpan({ kind: 'client', name, attributes });
      if (span) underWay.set(command, span);
    },
    asyncEnd: (command) => {
      const error = command.error === undefined ? undefined : errorWord(command.error);
      underWay.get(command)?.end({ error });
    },
    end: () => undefined,
    asyncStart: () => undefined,
    error: () => undefined,
  });
}
