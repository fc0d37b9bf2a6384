import { jobQueue } from '@moothall/jobs';

/** Runs of schedules: one job for a schedule and the time it was due at. */
export const scheduleRuns = jobQueue<{ scheduleId: number; dueAt: string }>({
  name: 'ci.schedule-runs',
  // Concurrent ones share their round trips, see `batched`.
  concurrency: 100,
  backoffSeconds: 1,
});
