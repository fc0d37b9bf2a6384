import type { Caller, DetailedMergeStatus, ProjectRef } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import type { MergeRequestDocument } from '../record/merge-request.schema';
import { Approvals } from './approvals';
import { ownStatus, statusBySettings } from './detailed-status';
import { HeadPipeline } from './head-pipeline';
import { MergeSettingsReader } from './merge-settings';
import { PassedChecks } from './passed-checks';

/** Determines for merge requests whether and why they cannot be merged. */
@Injectable()
export class MergeStatuses {
  constructor(
    private readonly settings: MergeSettingsReader,
    private readonly pipelines: HeadPipeline,
    private readonly approvals: Approvals,
    private readonly checks: PassedChecks,
  ) {}

  /** @param blocked merge requests with blocking discussions */
  async determine(
    found: MergeRequestDocument[],
    projects: ReadonlyMap<number, ProjectRef>,
    blocked: ReadonlySet<number>,
    caller?: Caller,
  ): Promise<ReadonlyMap<number, DetailedMergeStatus>> {
    const judged = await this.approvals.judge(found.filter((mergeRequest) => ownStatus(mergeRequest) === undefined));
    const statuses = found.map(async (mergeRequest) => {
      const { _id, projectId } = mergeRequest;
      const project = projects.get(projectId);
      const status =
        ownStatus(mergeRequest) ??
        (judged.get(_id)?.isMet === false ? 'not_approved' : undefined) ??
        (project && (await this.determineBySettings(mergeRequest, project, blocked, caller)));
      return [_id, status ?? 'mergeable'] as const;
    });
    return new Map(await Promise.all(statuses));
  }

  private async determineBySettings(
    mergeRequest: MergeRequestDocument,
    project: ProjectRef,
    blocked: ReadonlySet<number>,
    caller: Caller | undefined,
  ): Promise<DetailedMergeStatus> {
    const settings = await this.settings.readKept(project, caller);
    const needsPipeline = settings.only_allow_merge_if_pipeline_succeeds;
    const pipeline = needsPipeline ? await this.pipelines.findLatest(mergeRequest, project, caller) : undefined;
    const status = statusBySettings(mergeRequest, settings, blocked.has(mergeRequest._id), pipeline);
    const isKept =
      status === 'mergeable' && !(await this.checks.areMetAt(mergeRequest, mergeRequest.headSha, settings));
    return isKept ? 'status_checks_must_pass' : status;
  }
}
