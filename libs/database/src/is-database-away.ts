import { type Error as MongooseError, mongo } from 'mongoose';

/** Codes of a server that goes away, has gone, or is not the one to write to. Source: driver specification, retryable errors. */
const awayCodes = new Set([6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);

const awayErrors = [
  mongo.MongoNetworkError,
  mongo.MongoServerSelectionError,
  mongo.MongoNotConnectedError,
  mongo.MongoTopologyClosedError,
  mongo.MongoClientClosedError,
  // Done by one server, and perhaps not safe on others.
  mongo.MongoWriteConcernError,
];

/** What the driver passes on as its socket says it: the server ended while a command waited to be written. */
const cutOff = new Set<unknown>(['EPIPE', 'ECONNRESET']);

/**
 * Whether a command failed because the database cannot be reached now: a fault of nobody's, and of this moment. Whether
 * a write was done is not known then.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (awayErrors.some((kind) => error instanceof kind)) return true;
  if (error instanceof mongo.MongoServerError) return awayCodes.has(Number(error.code));
  if (error instanceof Error && 'code' in error && cutOff.has(error.code)) return true;
  return (error as MongooseError | undefined)?.name === 'MongooseServerSelectionError';
}
