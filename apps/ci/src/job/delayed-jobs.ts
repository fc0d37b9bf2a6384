import { jobQueue } from '@moothall/jobs';

/** Delayed jobs of pipelines, each for the time at which it begins by itself. */
export const delayedJobs = jobQueue<{ jobId: number }>({ name: 'ci.delayed-jobs', concurrency: 20, backoffSeconds: 1 });
