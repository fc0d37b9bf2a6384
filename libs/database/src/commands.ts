import { mongo } from 'mongoose';

/*
 * For commands of operators that talk to the driver themselves: imported from `@moothall/database/commands`, since what
 * services load besides takes a second.
 */

export { requireSafe } from './connection-options';
export { isDuplicateKey } from './duplicate-key';

/** Whether the driver or the server says no, or nothing. */
export const isDriverError = (error: unknown): boolean => error instanceof mongo.MongoError;
