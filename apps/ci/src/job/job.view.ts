import { type getJob, type OutputOf, only, type UserSummary } from '@moothall/contracts';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { UserDirectory } from '@moothall/users';
import { Inject, Injectable } from '@nestjs/common';
import { Artifacts } from '../artifact/artifact.repository';
import type { Artifact } from '../artifact/artifact.schema';
import type { Job, Pipeline } from '../pipeline/pipeline.schema';
import { PipelineViews, type ViewedProject } from '../pipeline/pipeline.view';
import { durationOf } from '../pipeline/pipeline-events';
import { secondsBetween } from '../pipeline/seconds-between';
import { Runners } from '../runner/runner.repository';
import { viewRunner } from '../runner/runner.view';

type View = OutputOf<typeof getJob>;

/** A job and the pipeline it is in. */
export interface PlacedJob {
  job: Job;
  pipeline: Pipeline;
}

/** Jobs in the form of the v4 interface. */
@Injectable()
export class JobViews {
  constructor(
    private readonly users: UserDirectory,
    private readonly runners: Runners,
    private readonly pipelines: PipelineViews,
    private readonly artifacts: Artifacts,
    @Inject(settingsToken) private readonly settings: ServiceSettings,
  ) {}

  async one(job: Job, pipeline: Pipeline, project: ViewedProject): Promise<View> {
    return only(await this.many([{ job, pipeline }], () => project));
  }

  /** @param projectOf by id; a job of an unknown project has addresses without its path */
  async many(placed: PlacedJob[], projectOf: (id: number) => ViewedProject): Promise<View[]> {
    const [users, runners, artifacts] = await Promise.all([
      this.users.summaries(placed.flatMap(({ job }) => job.userId ?? [])),
      this.runners.findByIds(placed.flatMap(({ job }) => job.runnerId ?? [])),
      this.artifacts.ofJobs(placed.map(({ job }) => job.id)),
    ]);
    return placed.map(({ job, pipeline }) => {
      const runner = runners.get(job.runnerId ?? 0);
      return {
        ...this.facts(job, pipeline, projectOf(pipeline.projectId)),
        ...artifactsOf(artifacts.get(job.id) ?? []),
        user: summaryOf(users, job.userId),
        runner: runner ? viewRunner(runner) : null,
      };
    });
  }

  private facts(
    job: Job,
    pipeline: Pipeline,
    project: ViewedProject,
  ): Omit<View, 'user' | 'runner' | keyof ReturnType<typeof artifactsOf>> {
    const { startedAt } = job;
    return {
      id: job.id,
      name: job.name,
      stage: job.stage,
      status: job.status,
      ref: pipeline.ref,
      tag: pipeline.isTag,
      coverage: job.coverage ?? null,
      allow_failure: job.allowFailure,
      created_at: job.createdAt.toISOString(),
      started_at: startedAt?.toISOString() ?? null,
      finished_at: job.finishedAt?.toISOString() ?? null,
      erased_at: job.erasedAt?.toISOString() ?? null,
      duration: durationOf(job),
      queued_duration: secondsBetween(job.queuedAt, startedAt),
      ...(job.failureReason && { failure_reason: job.failureReason }),
      commit: commitOf(pipeline),
      pipeline: this.pipelines.summary(pipeline, project),
      web_url: `${this.settings.EXTERNAL_URL}/${project.fullPath}/-/jobs/${job.id}`,
      tag_list: job.tags,
    };
  }
}

function artifactsOf(all: Artifact[]): Pick<View, 'artifacts' | 'artifacts_file' | 'artifacts_expire_at'> {
  const archive = all.find(({ type }) => type === 'archive');
  return {
    artifacts: all.map(({ type, sizeBytes, filename, format }) => ({
      file_type: type,
      size: sizeBytes,
      filename,
      file_format: format,
    })),
    ...(archive && { artifacts_file: { filename: archive.filename, size: archive.sizeBytes } }),
    artifacts_expire_at: (archive ?? all[0])?.expiresAt?.toISOString() ?? null,
  };
}

const summaryOf = (users: Map<number, UserSummary>, id: number | null): UserSummary | null =>
  id === null ? null : (users.get(id) ?? null);

function commitOf({ commit }: Pipeline): View['commit'] {
  if (!commit) return null;
  return {
    id: commit.id,
    short_id: commit.id.slice(0, 8),
    title: commit.message.split('\n', 1)[0] ?? '',
    message: commit.message,
    author_name: commit.authorName,
    author_email: commit.authorEmail,
    created_at: commit.committedAt.toISOString(),
  };
}
