import type { Transition } from './pipeline.repository';
import type { Job } from './pipeline.schema';
import { startOf } from './pipeline-state';
import { moved } from './settle';

/** Starts delayed jobs that are due. */
export const startDue: Transition = (jobs, now) => {
  const isDue = (job: Job) => {
    const at = startOf(job);
    return at !== undefined && at <= now;
  };
  return jobs.some(isDue) ? jobs.map((job) => (isDue(job) ? moved(job, 'pending', now) : job)) : jobs;
};
