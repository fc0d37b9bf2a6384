import { jobQueue } from '@moothall/jobs';

/** Runs of schedules: one job for a schedule and the time it was due at. */
export const scheduleRuns = jobQueue<{ scheduleId: number; dueAt: string }>({
  name: 'ci.schedule-runs',
  // Many at once share their round trips, see `batched`.
  concurrency: 100,
  backoffSeconds: 1,
});
