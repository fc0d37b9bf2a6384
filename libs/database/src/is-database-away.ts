import { type Error as MongooseError, mongo } from 'mongoose';

/**
 * Codes of a server that stops, has stopped, or is no longer the primary. Source: driver specification, retryable
 * errors.
 */
const awayCodes = new Set([6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);

const awayErrors = [
  mongo.MongoNetworkError,
  mongo.MongoServerSelectionError,
  mongo.MongoNotConnectedError,
  mongo.MongoTopologyClosedError,
  mongo.MongoClientClosedError,
  // Written by one server, but perhaps not replicated.
  mongo.MongoWriteConcernError,
];

/** Errors of the socket that the driver passes on: the server ended while a command waited to be written. */
const cutOff = new Set<unknown>(['EPIPE', 'ECONNRESET']);

/**
 * Whether a command failed because the database is not reachable at this time. It is then unknown whether a write was
 * done.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (awayErrors.some((kind) => error instanceof kind)) return true;
  if (error instanceof mongo.MongoServerError) return awayCodes.has(Number(error.code));
  if (error instanceof Error && 'code' in error && cutOff.has(error.code)) return true;
  return (error as MongooseError | undefined)?.name === 'MongooseServerSelectionError';
}
