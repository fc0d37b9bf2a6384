import type { Delivery } from './delivery.schema';

/** `sent` is final. `refused` is final, because a retry would have the same answer. `failed` is retried. */
export type Verdict = 'sent' | 'refused' | 'failed';

/** Statuses that ask for a later retry. */
const later = [408, 425, 429];

/** The verdict of a response status for a delivery. See docs/api/hooks.md#4. */
export function verdictOf(status: number): Verdict {
  if (status >= 200 && status < 300) return 'sent';
  if (status >= 500 || later.includes(status)) return 'failed';
  return 'refused';
}

/** Whether the receiver itself answered, and not a proxy before it. */
export const isFromReceiver = (status: number): boolean => ![502, 503, 504].includes(status);

const longestPauseSeconds = 2 * 60 * 60;

/** Delay after consecutive failures: doubled each time, up to two hours, with a tenth of random variation. */
export function pauseSeconds(failures: number, firstSeconds: number, chance = Math.random()): number {
  const pause = Math.min(firstSeconds * 2 ** Math.max(failures - 1, 0), longestPauseSeconds);
  return pause * (1 + chance / 10);
}

/** Whether a delivery that failed has been tried for long enough. */
export const isOver = ({ createdAt }: Pick<Delivery, 'createdAt'>, now: Date, spanSeconds: number): boolean =>
  now.getTime() - createdAt.getTime() >= spanSeconds * 1000;
