import { operations } from '@moothall/contracts';

/** Rate limits that would end most requests early. */
export const rateLimitNames = operations.flatMap(({ limit }) => (limit ? [limit.setting] : []));
