import { commonErrors, type OperationError } from '@moothall/contracts';
import { mongo } from 'mongoose';
import { isDatabaseAway } from './is-database-away';

const outOfDiskSpace = 14031;

/** What callers are told of a database that cannot do its work: that it is away, or full. Undefined for other errors. */
export function databaseRefusal(error: unknown): OperationError | undefined {
  if (isDatabaseAway(error)) return commonErrors.unavailable();
  const isFull = error instanceof mongo.MongoServerError && Number(error.code) === outOfDiskSpace;
  return isFull ? commonErrors.diskFull() : undefined;
}
