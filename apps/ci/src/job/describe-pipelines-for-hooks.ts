import { type ContextOf, type ParsedOf, type PipelineHookDetails, pipelineHookDetails } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { SecretBox } from '@moothall/secrets';
import { Controller } from '@nestjs/common';
import { Artifacts } from '../artifact/artifact.repository';
import type { Artifact } from '../artifact/artifact.schema';
import { Pipelines } from '../pipeline/pipeline.repository';
import type { Job } from '../pipeline/pipeline.schema';
import { durationOf } from '../pipeline/pipeline-events';
import { secondsBetween } from '../pipeline/seconds-between';
import { currentJobs } from '../pipeline/settle';
import { Runners } from '../runner/runner.repository';
import type { Runner } from '../runner/runner.schema';
import { viewRunner } from '../runner/runner.view';
import { openVariable } from '../variable/sealed-variable';

type Build = PipelineHookDetails['builds'][number];

/** Describes pipelines for the payloads of hooks. */
@Controller()
export class DescribePipelinesForHooks {
  constructor(
    private readonly pipelines: Pipelines,
    private readonly runners: Runners,
    private readonly artifacts: Artifacts,
    private readonly box: SecretBox,
  ) {}

  @Handles(pipelineHookDetails)
  async handle(
    { project }: ContextOf<typeof pipelineHookDetails>,
    { pipeline_id }: ParsedOf<typeof pipelineHookDetails>,
  ): Promise<PipelineHookDetails | null> {
    const pipeline = await this.pipelines.find(pipeline_id);
    if (pipeline?.projectId !== project.id) return null;
    const jobs = currentJobs(pipeline.jobs);
    const [runners, artifacts] = await Promise.all([
      this.runners.findByIds(jobs.flatMap(({ runnerId }) => runnerId ?? [])),
      this.artifacts.ofJobs(jobs.map(({ id }) => id)),
    ]);
    const { createdAt, startedAt, commit, mergeRequest, upstream } = pipeline;
    return {
      queued_duration: secondsBetween(createdAt, startedAt),
      variables: pipeline.variables
        .map((variable) => openVariable(this.box, variable))
        .map(({ key, value }) => ({ key, value })),
      commit: commit && {
        message: commit.message,
        timestamp: commit.committedAt.toISOString(),
        author_name: commit.authorName,
        author_email: commit.authorEmail,
      },
      merge_request: mergeRequest ?? null,
      source_pipeline: upstream ? { pipeline_id: upstream.pipelineId, job_id: upstream.jobId } : null,
      builds: jobs.map((job) => buildOf(job, runners.get(job.runnerId ?? 0), artifacts.get(job.id) ?? [])),
    };
  }
}

function buildOf(job: Job, runner: Runner | undefined, artifacts: Artifact[]): Build {
  const { environment } = job;
  const archive = artifacts.find(({ type }) => type === 'archive');
  return {
    id: job.id,
    stage: job.stage,
    name: job.name,
    status: job.status,
    created_at: job.createdAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    finished_at: job.finishedAt?.toISOString() ?? null,
    duration: durationOf(job),
    queued_duration: secondsBetween(job.queuedAt, job.startedAt),
    failure_reason: job.failureReason,
    when: job.when,
    manual: job.when === 'manual',
    allow_failure: job.allowFailure,
    user_id: job.userId,
    runner: runner ? { ...runnerOf(runner), tags: runner.tags } : null,
    artifacts_file: { filename: archive?.filename ?? null, size: archive?.sizeBytes ?? null },
    environment: environment
      ? { name: environment.name, action: environment.action, deployment_tier: environment.tier ?? null }
      : null,
  };
}

function runnerOf(runner: Runner): Omit<NonNullable<Build['runner']>, 'tags'> {
  const { id, description, runner_type, active, is_shared } = viewRunner(runner);
  return { id, description, runner_type, active, is_shared };
}
