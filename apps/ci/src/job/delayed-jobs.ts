import { jobQueue } from '@moothall/jobs';

/** Delayed jobs of pipelines, each for its start time. */
export const delayedJobs = jobQueue<{ jobId: number }>({ name: 'ci.delayed-jobs', concurrency: 20, backoffSeconds: 1 });
