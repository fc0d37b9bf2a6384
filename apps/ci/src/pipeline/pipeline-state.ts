import type { PipelineStatus } from '@moothall/contracts';
import type { Job, Pipeline, ReportedStatus } from './pipeline.schema';
import { currentJobs, hasEnded } from './settle';

const dayMs = 24 * 60 * 60 * 1000;
/** A job that no runner gets times out after this time. */
const pendingLimitMs = dayMs;
/** A runner ends its job at the timeout; the server does so if the runner is lost. */
const graceMs = 5 * 60 * 1000;

/** The summary of the jobs in a pipeline's document. */
export type PipelineState = Pick<Pipeline, 'status' | 'startedAt' | 'finishedAt' | 'durationSeconds'> & {
  [K in 'pendingSince' | 'deadlineAt' | 'nextStartAt']: Pipeline[K];
};

/** The relevant fields of a job or an external status. */
type Counted = Pick<Job, 'status' | 'isRetried' | 'startedAt' | 'finishedAt'> & Partial<Pick<Job, 'allowFailure'>>;

/** @param before the previous summary */
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

/** The status of a pipeline from its jobs and external statuses. */
export function statusOf(jobs: readonly Counted[]): PipelineStatus {
  const current = currentJobs(jobs);
  // An optional manual job and an allowed failure do not count.
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

/** When a job times out. */
export function deadlineOf(job: Job): Date | undefined {
  if (job.status === 'pending' && job.queuedAt) return new Date(job.queuedAt.getTime() + pendingLimitMs);
  // Waiting for a resource does not count.
  if (job.status !== 'running' || !job.startedAt || job.isBridge) return undefined;
  return new Date(job.startedAt.getTime() + job.timeoutSeconds * 1000 + graceMs);
}

/** When a delayed job starts. */
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
