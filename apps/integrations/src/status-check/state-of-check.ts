import type { StatusCheckState } from '@moothall/contracts';
import type { StatusCheckAnswer } from './status-check-answer.schema';

/** A check without an answer for so long has failed until it answers. */
export const patienceMs = 120_000;

/** The state of a check of a merge request. See docs/api/merge-requests.md#12. */
export function stateOf(
  answer: Pick<StatusCheckAnswer, 'status' | 'askedAt'> | undefined,
  now: Date,
): StatusCheckState {
  if (!answer) return 'pending';
  const isSilent = answer.status === 'pending' && now.getTime() - answer.askedAt.getTime() > patienceMs;
  return isSilent ? 'failed' : answer.status;
}
