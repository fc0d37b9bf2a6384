import { type EventRecord, jobChanged, pipelineChanged } from '@moothall/contracts';
import { newEvent } from '@moothall/database';
import type { Job, Pipeline } from './pipeline.schema';
import { secondsBetween } from './seconds-between';

/** The events of a change: for each job whose status changed, and for the pipeline. */
export function eventsOf(before: Pipeline | null, after: Pipeline): EventRecord[] {
  const known = new Map(before?.jobs.map((job) => [job.id, job.status]));
  const jobs = after.jobs.filter((job) => known.get(job.id) !== job.status).map((job) => jobEvent(after, job));
  return before?.status === after.status ? jobs : [...jobs, pipelineEvent(after)];
}

const factsOf = ({ _id, projectId, ref, isTag, sha, userId }: Pipeline) => ({
  project_id: projectId,
  pipeline_id: _id,
  ref,
  tag: isTag,
  sha,
  user_id: userId,
});

function pipelineEvent(pipeline: Pipeline): EventRecord {
  return newEvent(pipelineChanged, {
    ...factsOf(pipeline),
    iid: pipeline.iid,
    ...(pipeline.name !== undefined && { name: pipeline.name }),
    before_sha: pipeline.beforeSha,
    source: pipeline.source,
    ...(pipeline.upstream && { upstream_job_id: pipeline.upstream.jobId }),
    status: pipeline.status,
    stages: [...new Set(pipeline.jobs.map((job) => job.stage))],
    created_at: pipeline.createdAt.toISOString(),
    finished_at: pipeline.finishedAt?.toISOString() ?? null,
    duration: pipeline.durationSeconds,
  });
}

function jobEvent(pipeline: Pipeline, job: Job): EventRecord {
  return newEvent(jobChanged, {
    ...factsOf(pipeline),
    user_id: job.userId,
    job_id: job.id,
    name: job.name,
    stage: job.stage,
    status: job.status,
    allow_failure: job.allowFailure,
    failure_reason: job.failureReason,
    created_at: job.createdAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    finished_at: job.finishedAt?.toISOString() ?? null,
    duration: durationOf(job),
    runner_id: job.runnerId,
    ...(job.resourceGroup !== undefined && { resource_group: job.resourceGroup }),
    ...(job.startInSeconds !== undefined && { start_in: job.startInSeconds }),
    ...(job.isBridge && { is_bridge: true }),
    ...(job.environment && { environment: job.environment.name }),
  });
}

/** Seconds that a job ran; null for one that has not ended. */
export const durationOf = ({ startedAt, finishedAt }: Job): number | null => secondsBetween(startedAt, finishedAt);
