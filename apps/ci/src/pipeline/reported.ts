import { commitStatusErrors } from '@moothall/contracts';
import type { Report } from './pipeline.repository';
import { mostReported, type ReportedStatus } from './pipeline.schema';
import { currentJobs, hasEnded } from './settle';

/** The stage of external statuses. */
export const externalStage = 'external';

/** A status report of a program; missing fields do not change. */
export type StatusReport = Pick<ReportedStatus, 'name' | 'status' | 'userId'> & {
  [K in 'targetUrl' | 'description' | 'coverage']?: NonNullable<ReportedStatus[K]> | undefined;
};

const transitions: Record<ReportedStatus['status'], string> = {
  pending: 'enqueue',
  running: 'run',
  success: 'success',
  failed: 'drop',
  canceled: 'cancel',
  skipped: 'skip',
};

/**
 * The external statuses with one more report. It changes the status with its name, unless that has ended: then a new
 * one replaces it. See docs/api/pipelines.md#12.
 * @param newId of the new one
 * @throws commit_status.not_reached, commit_status.too_many
 */
export const withReport =
  (said: StatusReport, newId: number): Report =>
  (reported, now) => {
    const current = currentJobs(reported).find(({ name }) => name === said.name);
    if (current && !hasEnded(current)) return reported.map((one) => (one === current ? changed(one, said, now) : one));
    const replaced = reported.map((one) => (one === current ? { ...one, isRetried: true } : one));
    return fitting([...replaced, changed({ ...blank, id: newId, ...factsOf(said), createdAt: now }, said, now)]);
  };

const blank = {
  status: 'created',
  targetUrl: null,
  description: null,
  coverage: null,
  isRetried: false,
  startedAt: null,
  finishedAt: null,
} as const;

const factsOf = ({ name, userId }: StatusReport) => ({ name, userId });

type Unreported = Omit<ReportedStatus, 'status'> & { status: ReportedStatus['status'] | 'created' };

function changed(
  before: Unreported,
  { status, targetUrl, description, coverage }: StatusReport,
  now: Date,
): ReportedStatus {
  requireReached(before.status, status);
  return {
    ...before,
    status,
    targetUrl: targetUrl ?? before.targetUrl,
    description: description ?? before.description,
    coverage: coverage ?? before.coverage,
    startedAt: status === 'running' ? now : before.startedAt,
    finishedAt: hasEnded({ status }) ? now : null,
  };
}

/** A pending or running status may change to any other; a running one not back to pending. */
function requireReached(from: Unreported['status'], to: ReportedStatus['status']): void {
  if (from !== to && !(from === 'running' && to === 'pending')) return;
  const event = transitions[to];
  throw commitStatusErrors.notReached(
    `Cannot transition status via :${event} from :${from} (Reason(s): Status cannot transition via "${event}")`,
  );
}

/** The oldest replaced ones are deleted. @throws commit_status.too_many */
function fitting(reported: ReportedStatus[]): ReportedStatus[] {
  const surplus = reported.length - mostReported;
  if (surplus <= 0) return reported;
  const goes = new Set(reported.filter(({ isRetried }) => isRetried).slice(0, surplus));
  if (goes.size < surplus) throw commitStatusErrors.tooMany();
  return reported.filter((one) => !goes.has(one));
}

/** A canceled pipeline cancels its pending external statuses. */
export const cancelReported: Report = (reported, now) =>
  reported.map((one) => (hasEnded(one) ? one : { ...one, status: 'canceled', finishedAt: now }));
