import type { JobStatus } from '@moothall/contracts';
import type { Job } from './pipeline.schema';

const ended = new Set<JobStatus>(['success', 'failed', 'canceled', 'skipped']);

export const hasEnded = (job: Pick<Job, 'status'>): boolean => ended.has(job.status);

/** Whether later jobs need not wait for a job: true for an optional manual one. */
const isPassed = (job: Job): boolean => hasEnded(job) || (job.status === 'manual' && job.allowFailure);

/** Whether later jobs may run after it. */
const isFine = (job: Job): boolean => {
  if (job.status === 'success' || job.status === 'manual') return true;
  return job.allowFailure && (job.status === 'failed' || job.status === 'canceled');
};

/** The jobs that count: a run that was repeated is history. */
export const currentJobs = <T extends Pick<Job, 'isRetried'>>(jobs: readonly T[]): T[] =>
  jobs.filter((job) => !job.isRetried);

/**
 * Moves created jobs as far as earlier ones allow: to `pending`, `manual`, `scheduled` or `skipped`. A job waits for
 * all of the earlier stages, or for its `needs`.
 */
export function settle(jobs: Job[], now: Date): Job[] {
  let settled = jobs;
  for (;;) {
    const byName = new Map(currentJobs(settled).map((job) => [job.name, job]));
    let hasMoved = false;
    settled = settled.map((job) => {
      if (job.status !== 'created' || job.isRetried) return job;
      const status = nextStatus(job, before(job, settled, byName));
      if (status === undefined) return job;
      hasMoved = true;
      return moved(job, status, now);
    });
    // A skipped job may move others.
    if (!hasMoved) return settled;
  }
}

function before(job: Job, jobs: Job[], byName: Map<string, Job>): Job[] {
  if (job.needs) return job.needs.flatMap((name) => byName.get(name) ?? []);
  return currentJobs(jobs).filter((other) => other.stageIndex < job.stageIndex);
}

/** @returns undefined while it has to wait */
function nextStatus(job: Job, before: Job[]): JobStatus | undefined {
  if (!before.every(isPassed)) return undefined;
  if (job.when === 'always') return 'pending';
  // A job that needs a skipped job needs its output; a skipped earlier stage does not block by itself.
  const isBlocked = before.some((other) => (other.status === 'skipped' ? job.needs !== null : !isFine(other)));
  if (job.when === 'on_failure') return before.some(hasFailed) ? 'pending' : 'skipped';
  if (isBlocked) return 'skipped';
  if (job.when === 'delayed') return 'scheduled';
  return job.when === 'manual' ? 'manual' : 'pending';
}

const hasFailed = (job: Job): boolean => job.status === 'failed' && !job.allowFailure;

/** A job in another status, with its times. A job with a resource group waits for its resource before it is pending. */
export function moved(job: Job, status: JobStatus, now: Date): Job {
  const waits = job.resourceGroup !== undefined && job.status !== 'waiting_for_resource';
  if (status === 'pending' && waits) return { ...job, status: 'waiting_for_resource' };
  if (status === 'pending') return { ...job, status, queuedAt: now };
  if (status === 'scheduled') return { ...job, status, scheduledAt: startOf(job, now) };
  if (status === 'running') return { ...job, status, startedAt: now };
  if (ended.has(status)) return { ...job, status, finishedAt: status === 'skipped' ? null : now };
  return { ...job, status };
}

const startOf = ({ startInSeconds = 0 }: Job, now: Date): Date => new Date(now.getTime() + startInSeconds * 1000);
