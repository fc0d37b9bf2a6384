import { mongo } from 'mongoose';

/** Whether a write failed because a unique index has the value already; `field` names one of the index's fields. */
export function isDuplicateKey(error: unknown, field?: string): boolean {
  if (!(error instanceof mongo.MongoServerError) || error.code !== 11000) return false;
  return field === undefined || field in (error.keyPattern ?? {});
}
