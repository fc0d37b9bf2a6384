import { mongo } from 'mongoose';

/*
 * For commands of operators that use the driver directly: imported from `@moothall/database/commands`, since loading
 * the rest takes a second.
 */

export { requireSafe } from './connection-options';
export { isDuplicateKey } from './duplicate-key';

/** Whether the driver or the server reports an error. */
export const isDriverError = (error: unknown): boolean => error instanceof mongo.MongoError;
