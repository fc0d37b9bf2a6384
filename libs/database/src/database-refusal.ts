import { commonErrors, type OperationError } from '@moothall/contracts';
import { mongo } from 'mongoose';
import { isDatabaseAway } from './is-database-away';

const outOfDiskSpace = 14031;
/** The content of a document is limited, except for its outbox: then the document has no more space. */
const documentTooLarge = [10334, 17419, 17420];

/** The error for callers if the database is unreachable or full, or a document is. Undefined for other errors. */
export function databaseRefusal(error: unknown): OperationError | undefined {
  if (isDatabaseAway(error)) return commonErrors.unavailable();
  const code = error instanceof mongo.MongoServerError ? Number(error.code) : undefined;
  if (code !== undefined && documentTooLarge.includes(code)) return commonErrors.unavailable();
  return code === outOfDiskSpace ? commonErrors.diskFull() : undefined;
}
