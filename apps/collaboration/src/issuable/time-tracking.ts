import { commonErrors, type TimeStats } from '@moothall/contracts';
import { humanTime, parseTime } from './human-time';

export const viewTimeStats = ({ timeEstimate, timeSpent }: { timeEstimate: number; timeSpent: number }): TimeStats => ({
  time_estimate: timeEstimate,
  total_time_spent: timeSpent,
  human_time_estimate: humanTime(timeEstimate),
  human_total_time_spent: humanTime(timeSpent),
});

interface Tracked {
  timeEstimate: number;
  timeSpent: number;
}

/**
 * The update of estimated or spent time. A change that depends on the current time is computed again after a conflict.
 */
const update = (change: { $set?: Partial<Tracked>; $inc?: Partial<Tracked> }) => ({
  ...change,
  $inc: { ...change.$inc, revision: 1 },
  $max: { updatedAt: new Date() },
});

/** @throws common.bad_request for an invalid duration */
export const estimate = (duration: string) => update({ $set: { timeEstimate: secondsIn(duration) } });
export const resetEstimate = () => update({ $set: { timeEstimate: 0 } });
/** @throws common.bad_request for an invalid duration */
export const spend = (duration: string) => update({ $inc: { timeSpent: secondsIn(duration) } });
export const resetSpent = () => update({ $set: { timeSpent: 0 } });

function secondsIn(duration: string): number {
  const seconds = parseTime(duration);
  if (seconds === undefined) throw commonErrors.badRequest('400 Bad request - duration is invalid');
  return seconds;
}
