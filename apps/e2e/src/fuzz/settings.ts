import { operations } from '@moothall/contracts';

/** Limits that would end most requests before they come to anything. */
export const rateLimitNames = operations.flatMap(({ limit }) => (limit ? [limit.setting] : []));
