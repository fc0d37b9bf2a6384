import { int, type Setting } from '@moothall/config';
import { operations, type RateLimit } from '@moothall/contracts';

/** One for each limit in the contracts: number of requests of one caller per minute, or per its period. */
export const rateLimitSettings: Record<string, Setting<number>> = Object.fromEntries(
  operations.flatMap(({ limit }) => (limit ? [[limit.setting, rateLimit(limit)]] : [])),
);

function rateLimit({ requests, seconds: span, about }: RateLimit): Setting<number> {
  return int({
    default: requests,
    min: 0,
    about: `${about} in ${span} seconds, by one caller on one target; 0 is no limit`,
  });
}
