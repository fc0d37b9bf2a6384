import { commonErrors, type OperationError } from '@moothall/contracts';
import { mongo } from 'mongoose';
import { isDatabaseAway } from './is-database-away';

const outOfDiskSpace = 14031;
/** What is put into a document has bounds, but for what waits to leave it: that has no more room. */
const documentTooLarge = [10334, 17419, 17420];

/** The error for callers if the database is unreachable or full, or a document is. Undefined for other errors. */
export function databaseRefusal(error: unknown): OperationError | undefined {
  if (isDatabaseAway(error)) return commonErrors.unavailable();
  const code = error instanceof mongo.MongoServerError ? Number(error.code) : undefined;
  if (code !== undefined && documentTooLarge.includes(code)) return commonErrors.unavailable();
  return code === outOfDiskSpace ? commonErrors.diskFull() : undefined;
}
