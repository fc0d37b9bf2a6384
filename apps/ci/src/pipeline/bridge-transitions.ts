import { jobOf, replaced } from './job-transitions';
import type { Transition } from './pipeline.repository';
import type { Downstream } from './pipeline.schema';
import { moved } from './settle';

/* Transitions of trigger jobs. */

/** The pipeline of a trigger job was created. @param depends whether the job gets its status */
export const triggered =
  (id: number, downstream: Downstream, depends: boolean): Transition =>
  (jobs, now) => {
    const job = jobOf(jobs, id);
    if (job.status !== 'pending') return jobs;
    const begun = { ...moved(job, 'running', now), downstream };
    return replaced(jobs, depends ? begun : moved(begun, 'success', now));
  };

/** The pipeline could not be created, or failed immediately. */
export const notTriggered =
  (id: number, reason: string, downstream?: Downstream): Transition =>
  (jobs, now) => {
    const job = jobOf(jobs, id);
    if (job.status !== 'pending') return jobs;
    return replaced(jobs, {
      ...moved(job, 'failed', now),
      failureReason: reason,
      ...(downstream && { downstream }),
    });
  };

/** The pipeline that a job waits for has ended so. */
export const mirror =
  (id: number, status: 'success' | 'failed' | 'canceled'): Transition =>
  (jobs, now) => {
    const job = jobOf(jobs, id);
    if (job.status !== 'running') return jobs;
    const failureReason = status === 'failed' ? 'unknown_failure' : null;
    return replaced(jobs, { ...moved(job, status, now), failureReason });
  };
