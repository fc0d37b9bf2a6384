import { commonErrors, OperationError } from '@moothall/contracts';

/** Redis refuses writes: its memory or its disk is full. Source: errors of Redis. */
const isFull = (error: unknown): boolean => error instanceof Error && /^(OOM|MISCONF) /.test(error.message);

/** The error for callers if a queue does not accept a job. */
export function queueRefusal(error: unknown): unknown {
  if (error instanceof OperationError) return error;
  return isFull(error) ? commonErrors.diskFull() : error;
}
