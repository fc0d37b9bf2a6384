import type { PipelineStatus } from '@moothall/contracts';
import type { Job, Pipeline, ReportedStatus } from './pipeline.schema';
import { currentJobs, hasEnded } from './settle';

const dayMs = 24 * 60 * 60 * 1000;
/** A job that no runner takes is given up on. */
const pendingLimitMs = dayMs;
/** A runner ends its job at the timeout by itself; the server does when the runner is gone. */
const graceMs = 5 * 60 * 1000;

/** What a pipeline's document says of its jobs as a whole. */
export type PipelineState = Pick<Pipeline, 'status' | 'startedAt' | 'finishedAt' | 'durationSeconds'> & {
  [K in 'pendingSince' | 'deadlineAt' | 'nextStartAt']: Pipeline[K];
};

/** What counts of a job, or of a status that was reported. */
type Counted = Pick<Job, 'status' | 'isRetried' | 'startedAt' | 'finishedAt'> & Partial<Pick<Job, 'allowFailure'>>;

/** @param before what the pipeline said so far */
export function stateOf(
  jobs: Job[],
  before: Pick<PipelineState, 'status' | 'startedAt' | 'finishedAt'>,
  now: Date,
  reported: readonly ReportedStatus[] = [],
) {
  const counted: Counted[] = [...jobs, ...reported];
  const status = statusOf(counted);
  const started = currentJobs(counted).flatMap((one) => one.startedAt ?? []);
  const isOver = ['success', 'failed', 'canceled', 'skipped'].includes(status);
  const state: PipelineState = {
    status,
    startedAt: before.startedAt ?? earliest(started) ?? null,
    finishedAt: isOver ? (status === before.status && before.finishedAt) || now : null,
    durationSeconds: isOver ? secondsCovered(counted) : null,
    pendingSince: earliest(
      jobs.flatMap((job) => (job.status === 'pending' && !job.isBridge && job.queuedAt ? job.queuedAt : [])),
    ),
    deadlineAt: earliest(jobs.flatMap((job) => deadlineOf(job) ?? [])),
    nextStartAt: earliest(jobs.flatMap((job) => startOf(job) ?? [])),
  };
  return state;
}

/** The state that the jobs of a pipeline, and what was reported, add up to. */
export function statusOf(jobs: readonly Counted[]): PipelineStatus {
  const current = currentJobs(jobs);
  // A manual job that may be left undone says nothing about the rest; so does a failure that is allowed.
  const counted = current.filter((job) => !(job.allowFailure && ['manual', 'failed', 'canceled'].includes(job.status)));
  const statuses = new Set(counted.map((job) => job.status));
  if (counted.length === 0) return current.some((job) => job.status !== 'manual') ? 'success' : 'skipped';
  if (statuses.has('running')) return 'running';
  if (statuses.has('pending')) return current.some((job) => hasEnded(job) && job.startedAt) ? 'running' : 'pending';
  if (statuses.has('waiting_for_resource')) return 'waiting_for_resource';
  if (statuses.has('manual')) return 'manual';
  if (statuses.has('scheduled')) return 'scheduled';
  if (statuses.has('created')) return statuses.size === 1 ? 'created' : 'running';
  if (statuses.has('failed')) return 'failed';
  if (statuses.has('canceled')) return 'canceled';
  return statuses.has('success') ? 'success' : 'skipped';
}

/** When a job is given up on. */
export function deadlineOf(job: Job): Date | undefined {
  if (job.status === 'pending' && job.queuedAt) return new Date(job.queuedAt.getTime() + pendingLimitMs);
  // What it waits for is given up on by itself.
  if (job.status !== 'running' || !job.startedAt || job.isBridge) return undefined;
  return new Date(job.startedAt.getTime() + job.timeoutSeconds * 1000 + graceMs);
}

/** When a delayed job begins by itself. */
export const startOf = ({ status, scheduledAt }: Job): Date | undefined =>
  status === 'scheduled' ? scheduledAt : undefined;

function earliest(dates: Date[]): Date | undefined {
  return dates.reduce<Date | undefined>((first, date) => (first && first <= date ? first : date), undefined);
}

/** Seconds during which at least one job ran. */
function secondsCovered(jobs: readonly Counted[]): number {
  const runs = jobs
    .flatMap(({ startedAt, finishedAt }): [number, number][] =>
      startedAt && finishedAt ? [[startedAt.getTime(), finishedAt.getTime()]] : [],
    )
    .sort(([a], [b]) => a - b);
  let covered = 0;
  let until = 0;
  for (const [from, to] of runs) {
    covered += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return Math.round(covered / 1000);
}
