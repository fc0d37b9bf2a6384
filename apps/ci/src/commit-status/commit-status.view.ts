import type { OutputOf, setCommitStatus, UserSummary } from '@moothall/contracts';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { UserDirectory } from '@moothall/users';
import { Inject, Injectable } from '@nestjs/common';
import type { Job, Pipeline, ReportedStatus } from '../pipeline/pipeline.schema';
import type { ViewedProject } from '../pipeline/pipeline.view';

type View = OutputOf<typeof setCommitStatus>;

/** A job or an external status, with its pipeline. */
export interface PlacedStatus {
  one: Job | ReportedStatus;
  pipeline: Pipeline;
}

const isReported = (one: Job | ReportedStatus): one is ReportedStatus => 'targetUrl' in one;

/** Statuses of commits in the form of the v4 interface. */
@Injectable()
export class CommitStatusViews {
  constructor(
    private readonly users: UserDirectory,
    @Inject(settingsToken) private readonly settings: ServiceSettings,
  ) {}

  async many(placed: PlacedStatus[], project: ViewedProject): Promise<View[]> {
    const authors = await this.users.summaries(placed.flatMap(({ one }) => one.userId ?? []));
    return placed.map(({ one, pipeline }) => ({
      id: one.id,
      sha: pipeline.sha,
      ref: pipeline.ref,
      status: one.status,
      name: one.name,
      created_at: one.createdAt.toISOString(),
      started_at: one.startedAt?.toISOString() ?? null,
      finished_at: one.finishedAt?.toISOString() ?? null,
      pipeline_id: pipeline._id,
      author: authorOf(authors, one.userId),
      ...(isReported(one) ? reportedFields(one) : this.factsOf(one, project)),
    }));
  }

  private factsOf({ id, allowFailure, coverage = null }: Job, { fullPath }: ViewedProject) {
    const target_url = `${this.settings.EXTERNAL_URL}/${fullPath}/-/jobs/${id}`;
    return { target_url, description: null, coverage, allow_failure: allowFailure };
  }
}

const reportedFields = ({ targetUrl, description, coverage }: ReportedStatus) => ({
  target_url: targetUrl,
  description,
  coverage,
  allow_failure: false,
});

const authorOf = (users: Map<number, UserSummary>, id: number | null): UserSummary | null =>
  id === null ? null : (users.get(id) ?? null);
