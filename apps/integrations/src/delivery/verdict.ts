import type { Delivery } from './delivery.schema';

/** `sent` is done. `refused` would be answered alike again. `failed` is tried again. */
export type Verdict = 'sent' | 'refused' | 'failed';

/** Not now, says the receiver: too slow, too early, too much. */
const later = [408, 425, 429];

/** What an answer means for a delivery. See docs/api/hooks.md#4. */
export function verdictOf(status: number): Verdict {
  if (status >= 200 && status < 300) return 'sent';
  if (status >= 500 || later.includes(status)) return 'failed';
  return 'refused';
}

/** Whether an answer comes from the receiver itself, and not from what stands before it while it is away. */
export const isFromReceiver = (status: number): boolean => ![502, 503, 504].includes(status);

const longestPauseSeconds = 2 * 60 * 60;

/** How long to wait after so many failures, one after the other: doubling, up to two hours, a tenth by chance. */
export function pauseSeconds(failures: number, firstSeconds: number, chance = Math.random()): number {
  const pause = Math.min(firstSeconds * 2 ** Math.max(failures - 1, 0), longestPauseSeconds);
  return pause * (1 + chance / 10);
}

/** Whether a delivery that failed has been tried for long enough. */
export const isOver = ({ createdAt }: Pick<Delivery, 'createdAt'>, now: Date, spanSeconds: number): boolean =>
  now.getTime() - createdAt.getTime() >= spanSeconds * 1000;
