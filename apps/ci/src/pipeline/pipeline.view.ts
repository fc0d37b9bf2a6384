import { type getPipeline, type listPipelines, type OutputOf, type ProjectRef } from '@moothall/contracts';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { UserDirectory } from '@moothall/users';
import { Inject, Injectable } from '@nestjs/common';
import { detailedStatus } from './detailed-status';
import type { Pipeline } from './pipeline.schema';
import { secondsBetween } from './seconds-between';

type Summary = OutputOf<typeof listPipelines>['items'][number];
type Detail = OutputOf<typeof getPipeline>;

/** The fields of a project for its views. */
export type ViewedProject = Pick<ProjectRef, 'id' | 'fullPath'>;

/** The mean of all jobs and external statuses with a coverage, in percent with two digits. */
export function meanCoverage({ jobs, reported = [] }: Pick<Pipeline, 'jobs' | 'reported'>): string | null {
  const said = [...jobs, ...reported].filter(({ isRetried }) => !isRetried).flatMap(({ coverage }) => coverage ?? []);
  return said.length === 0 ? null : (said.reduce((sum, one) => sum + one, 0) / said.length).toFixed(2);
}

/** Pipelines in the form of the v4 interface. */
@Injectable()
export class PipelineViews {
  constructor(
    private readonly users: UserDirectory,
    @Inject(settingsToken) private readonly settings: ServiceSettings,
  ) {}

  summary(pipeline: Pipeline, project: ViewedProject): Summary {
    return {
      id: pipeline._id,
      iid: pipeline.iid,
      project_id: pipeline.projectId,
      sha: pipeline.sha,
      ref: pipeline.ref,
      status: pipeline.status,
      source: pipeline.source,
      name: pipeline.name ?? null,
      created_at: pipeline.createdAt.toISOString(),
      updated_at: pipeline.updatedAt.toISOString(),
      web_url: `${this.settings.EXTERNAL_URL}/${project.fullPath}/-/pipelines/${pipeline._id}`,
    };
  }

  async detail(pipeline: Pipeline, project: ViewedProject): Promise<Detail> {
    const users = await this.users.summaries(pipeline.userId === null ? [] : [pipeline.userId]);
    const { createdAt, startedAt, finishedAt } = pipeline;
    return {
      ...this.summary(pipeline, project),
      before_sha: pipeline.beforeSha,
      tag: pipeline.isTag,
      yaml_errors: pipeline.yamlErrors,
      user: users.get(pipeline.userId ?? 0) ?? null,
      started_at: startedAt?.toISOString() ?? null,
      finished_at: finishedAt?.toISOString() ?? null,
      committed_at: pipeline.commit?.committedAt.toISOString() ?? null,
      duration: pipeline.durationSeconds,
      queued_duration: secondsBetween(createdAt, startedAt),
      coverage: meanCoverage(pipeline),
      detailed_status: detailedStatus(pipeline.status, `/${project.fullPath}/-/pipelines/${pipeline._id}`),
    };
  }
}
