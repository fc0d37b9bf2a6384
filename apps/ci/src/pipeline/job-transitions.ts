import { jobErrors } from '@moothall/contracts';
import { mongo } from 'mongoose';
import type { AutoCancel } from '../pipeline-file/job-spec';
import type { SealedVariable } from '../variable/sealed-variable';
import type { Transition } from './pipeline.repository';
import { type Job, mostJobBytes } from './pipeline.schema';
import { hasEnded, moved } from './settle';

/* Transitions of jobs. Each function returns a transition for Pipelines.change, without side effects. */

export const replaced = (jobs: Job[], changed: Job): Job[] =>
  jobs.map((job) => (job.id === changed.id ? changed : job));

/** @throws job.not_found */
export function jobOf(jobs: Job[], id: number): Job {
  const job = jobs.find((one) => one.id === id);
  if (!job) throw jobErrors.notFound();
  return job;
}

export const cancelAll: Transition = (jobs, now) => {
  if (jobs.every((job) => hasEnded(job) || job.isRetried)) return jobs;
  return jobs.map((job) => (hasEnded(job) ? job : moved(job, 'canceled', now)));
};

/** A newer pipeline makes it redundant. See docs/api/pipelines.md#8. */
export const cancelRedundant =
  (how: AutoCancel['onNewCommit'] = 'conservative'): Transition =>
  (jobs, now) => {
    if (how === 'none') return jobs;
    if (how === 'conservative')
      return jobs.some((job) => job.startedAt && !job.isInterruptible) ? jobs : cancelAll(jobs, now);
    const isStopped = (job: Job) => job.isInterruptible && !hasEnded(job);
    return jobs.some(isStopped) ? jobs.map((job) => (isStopped(job) ? moved(job, 'canceled', now) : job)) : jobs;
  };

/** Cancels the others after a job has failed that may not. @param before the earlier jobs */
export const stopAtFailure =
  (before: Job[]): Transition =>
  (jobs, now) => {
    const known = new Set(before.filter(isFailure).map(({ id }) => id));
    return jobs.some((job) => isFailure(job) && !known.has(job.id)) ? cancelAll(jobs, now) : jobs;
  };

const isFailure = ({ status, allowFailure, isRetried }: Job): boolean =>
  status === 'failed' && !allowFailure && !isRetried;

/** An ended job does not change. */
export const cancel =
  (id: number): Transition =>
  (jobs, now) => {
    const job = jobOf(jobs, id);
    return hasEnded(job) ? jobs : replaced(jobs, moved(job, 'canceled', now));
  };

const isPlayable = ({ status }: Job): boolean => status === 'manual' || status === 'scheduled';

/** @throws job.not_playable */
export const play =
  (id: number, userId: number, variables: SealedVariable[]): Transition =>
  (jobs, now) => {
    const job = jobOf(jobs, id);
    if (!isPlayable(job)) throw jobErrors.notPlayable();
    return replaced(jobs, { ...moved(job, 'pending', now), userId, variables });
  };

/**
 * Starts the job of that name as a user: a manual or delayed one starts, an ended one is retried.
 * @param newId of the job that replaces it
 * @throws job.not_found, job.not_playable before its stage, job.not_retryable
 */
export const start =
  (name: string, newId: number, userId: number | null): Transition =>
  (jobs, now) => {
    const job = jobs.find((one) => one.name === name && !one.isRetried);
    if (!job) throw jobErrors.notFound();
    if (isPlayable(job)) return replaced(jobs, { ...moved(job, 'pending', now), userId });
    if (hasEnded(job)) return repeat(job.id, newId, userId)(jobs, now);
    if (job.status === 'created') throw jobErrors.notPlayable();
    return jobs;
  };

const isRepeatable = (job: Job): boolean =>
  !job.isRetried && (job.status === 'success' || job.status === 'failed' || job.status === 'canceled');

/** @throws job.not_retryable if retried jobs have used up the space of the document */
function fitting(jobs: Job[]): Job[] {
  if (mongo.BSON.calculateObjectSize(jobs) > mostJobBytes) throw jobErrors.notRetryable();
  return jobs;
}

/** @param newId of the job that replaces it @throws job.not_retryable */
export const repeat =
  (id: number, newId: number, userId: number | null): Transition =>
  (jobs, now) => {
    const job = jobOf(jobs, id);
    if (!isRepeatable(job)) throw jobErrors.notRetryable();
    return fitting(reopened(withCopies(jobs, [job], newId, userId, now)));
  };

/** @param firstId of as many numbers as the pipeline has jobs */
export const repeatFailed =
  (firstId: number, userId: number): Transition =>
  (jobs, now) => {
    const failed = jobs.filter((job) => isRepeatable(job) && job.status !== 'success');
    return failed.length === 0 ? jobs : fitting(reopened(withCopies(jobs, failed, firstId, userId, now)));
  };

function withCopies(jobs: Job[], repeated: Job[], firstId: number, userId: number | null, now: Date): Job[] {
  const ids = new Set(repeated.map((job) => job.id));
  const copies = repeated.map(({ downstream: _, ...job }, index) => ({
    ...job,
    id: firstId + index,
    // It has already waited: a manual or delayed job does not wait again when it is retried.
    when: job.when === 'manual' || job.when === 'delayed' ? ('on_success' as const) : job.when,
    status: 'created' as const,
    userId,
    ...(job.allowedExitCodes && { allowFailure: false }),
    failureReason: null,
    coverage: null,
    runnerId: null,
    tokenSha256: null,
    createdAt: now,
    queuedAt: null,
    startedAt: null,
    finishedAt: null,
    erasedAt: null,
  }));
  return [...jobs.map((job) => (ids.has(job.id) ? { ...job, isRetried: true } : job)), ...copies];
}

/** Jobs that were skipped because of the retried job wait for it again. */
const reopened = (jobs: Job[]): Job[] =>
  jobs.map((job) => (job.status === 'skipped' && !job.isRetried ? { ...job, status: 'created' } : job));

export const erase =
  (id: number): Transition =>
  (jobs, now) => {
    const job = jobOf(jobs, id);
    if (!hasEnded(job)) throw jobErrors.notErasable();
    return replaced(jobs, { ...job, erasedAt: now });
  };

/** The job that waited for a resource gets it. */
export const receive =
  (id: number): Transition =>
  (jobs, now) => {
    const job = jobOf(jobs, id);
    return job.status === 'waiting_for_resource' ? replaced(jobs, moved(job, 'pending', now)) : jobs;
  };

/** A runner gets the first pending job that matches; none if others were faster. */
export const take =
  (isMeant: (job: Job) => boolean, runnerId: number, tokenSha256: string): Transition =>
  (jobs, now) => {
    const job = jobs.find((one) => one.status === 'pending' && isMeant(one));
    return job ? replaced(jobs, { ...moved(job, 'running', now), runnerId, tokenSha256 }) : jobs;
  };

/**
 * The runner did not get the job: it is pending again, at its old place in the queue. @param tokenSha256 of that run
 */
export const giveBack =
  (id: number, tokenSha256: string): Transition =>
  (jobs) => {
    const job = jobOf(jobs, id);
    if (job.status !== 'running' || job.tokenSha256 !== tokenSha256) return jobs;
    return replaced(jobs, { ...job, status: 'pending', startedAt: null, runnerId: null, tokenSha256: null });
  };

/** A runner has finished the job; a job that ended otherwise meanwhile does not change. */
export const succeed =
  (id: number): Transition =>
  (jobs, now) => {
    const job = jobOf(jobs, id);
    return job.status === 'running' ? replaced(jobs, moved(job, 'success', now)) : jobs;
  };

/** Adds the coverage of its log when a transition ends the job. */
export const withCoverage =
  (id: number, coverage: number | undefined, transition: Transition): Transition =>
  (jobs, now) => {
    const after = transition(jobs, now);
    if (after === jobs || coverage === undefined) return after;
    return replaced(after, { ...jobOf(after, id), coverage });
  };

/** How a job failed. */
export interface Failure {
  reason: string;
  /** Of its script, if the runner sent it. */
  exitCode?: number | undefined;
}

/** The same for a failed job, which is retried if its `retry` allows it. @param newId of that run */
export const fail =
  (id: number, failure: Failure, newId: number): Transition =>
  (jobs, now) => {
    const job = jobOf(jobs, id);
    return job.status === 'running' ? failed(jobs, job, failure, newId, now) : jobs;
  };

/** It could not be sent to the runner, and another try would fail the same way. */
export const refuse =
  (id: number, reason: string): Transition =>
  (jobs, now) => {
    const job = jobOf(jobs, id);
    if (job.status !== 'running') return jobs;
    return replaced(jobs, { ...moved(job, 'failed', now), failureReason: reason });
  };

function failed(jobs: Job[], job: Job, failure: Failure, newId: number, now: Date): Job[] {
  const isAllowed = failure.exitCode !== undefined && job.allowedExitCodes?.includes(failure.exitCode);
  const after = {
    ...moved(job, 'failed', now),
    failureReason: failure.reason,
    ...(isAllowed && { allowFailure: true }),
  };
  const known = replaced(jobs, after);
  return isTriedAgain(jobs, job, failure) ? withCopies(known, [after], newId, job.userId, now) : known;
}

function isTriedAgain(jobs: Job[], { name, retry }: Job, { reason, exitCode }: Failure): boolean {
  if (!retry || jobs.filter((job) => job.name === name && job.isRetried).length >= retry.max) return false;
  if (retry.when && !retry.when.includes(reason)) return false;
  return !retry.exitCodes || (exitCode !== undefined && retry.exitCodes.includes(exitCode));
}

/** @param isOverdue selects jobs that time out @param firstId of as many numbers as the pipeline has jobs */
export const giveUp =
  (isOverdue: (job: Job) => boolean, firstId: number): Transition =>
  (jobs, now) =>
    jobs
      .filter(isOverdue)
      .reduce(
        (all, job, index) => failed(all, job, { reason: 'stuck_or_timeout_failure' }, firstId + index, now),
        jobs,
      );
