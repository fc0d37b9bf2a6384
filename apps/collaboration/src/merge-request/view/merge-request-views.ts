import { Access, type Caller, type MergeRequest, only, type ProjectRef } from '@moothall/contracts';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { UserDirectory } from '@moothall/users';
import { Inject, Injectable } from '@nestjs/common';
import { isSubscribed } from '../../issuable/issuable';
import { Labels } from '../../label/label.repository';
import { MilestoneViews } from '../../milestone/milestone-views';
import { ParentDirectory } from '../../parent/parent-directory';
import { Urls } from '../../parent/urls';
import { BlockingDiscussions } from '../mergeability/blocking-discussions';
import { MergeSettingsReader } from '../mergeability/merge-settings';
import { MergeStatuses } from '../mergeability/merge-statuses';
import type { MergeRequestDocument } from '../record/merge-request.schema';
import { type MergeRequestReferences, viewMergeRequest, viewSimpleMergeRequest } from './merge-request.view';

/** Shows merge requests. It reads all referenced records in one batch per kind. */
@Injectable()
export class MergeRequestViews {
  private readonly hasTiers: boolean;

  constructor(
    private readonly users: UserDirectory,
    private readonly labels: Labels,
    private readonly milestoneViews: MilestoneViews,
    private readonly parents: ParentDirectory,
    private readonly urls: Urls,
    private readonly settings: MergeSettingsReader,
    private readonly blocking: BlockingDiscussions,
    private readonly statuses: MergeStatuses,
    @Inject(settingsToken) service: ServiceSettings,
  ) {
    this.hasTiers = service.EDITION === 'enterprise';
  }

  /**
   * @param project the project of all merge requests, if known
   * @param caller the reader: signed-in users see what blocks merging
   */
  async view(
    mergeRequests: MergeRequestDocument[],
    project?: ProjectRef,
    { withLabelDetails = false, caller }: { withLabelDetails?: boolean | undefined; caller?: Caller | undefined } = {},
  ): Promise<MergeRequest[]> {
    const references = await this.collect(mergeRequests, project, caller);
    return mergeRequests.flatMap((mergeRequest) => {
      const home = references.projects.get(mergeRequest.projectId);
      // Its project was deleted; the merge request will be removed soon.
      if (!home) return [];
      const options = { withLabelDetails, hasTiers: this.hasTiers };
      return [viewMergeRequest(mergeRequest, home, references, this.urls, options)];
    });
  }

  async viewSimple(mergeRequests: MergeRequestDocument[], project?: ProjectRef) {
    const projects = await this.findProjects(mergeRequests, project);
    return mergeRequests.flatMap((mergeRequest) => {
      const home = projects.get(mergeRequest.projectId);
      return home ? [viewSimpleMergeRequest(mergeRequest, home, this.urls)] : [];
    });
  }

  /** Shows a single merge request. @param canMerge whether the caller may merge, if requested */
  async viewOne(mergeRequest: MergeRequestDocument, project: ProjectRef, caller?: Caller, canMerge?: boolean) {
    const view = only(await this.view([mergeRequest], project, { caller }));
    const { baseSha, headSha, startSha } = mergeRequest;
    return {
      ...view,
      ...(caller && { subscribed: isSubscribed(mergeRequest, caller.id) }),
      changes_count: mergeRequest.changesCount,
      diff_refs: headSha === null ? null : { base_sha: baseSha, head_sha: headSha, start_sha: startSha },
      merge_error: mergeRequest.mergeError,
      first_deployed_to_production_at: null,
      user: { can_merge: canMerge ?? project.accessLevel >= Access.Developer },
    };
  }

  private async collect(
    found: MergeRequestDocument[],
    project?: ProjectRef,
    caller?: Caller,
  ): Promise<MergeRequestReferences> {
    const people = found.flatMap(({ authorId, assigneeIds, reviewerIds, closedById, mergedById }) => [
      ...[authorId, ...assigneeIds, ...reviewerIds],
      ...[closedById, mergedById].filter((id) => id !== null),
    ]);
    const [projects, users, labels, milestones] = await Promise.all([
      this.findProjects(found, project),
      this.users.summaries(people),
      this.labels.findByIds(found.flatMap(({ labelIds }) => labelIds)),
      this.milestoneViews.byId(found.flatMap(({ milestoneId }) => milestoneId ?? [])),
    ]);
    const blocked = await this.blocking.findBlocked(found, projects, (home) => this.settings.readKept(home, caller));
    const statuses = await this.statuses.determine(found, projects, blocked, caller);
    return { projects, users, labels, milestones, blocked, statuses };
  }

  private async findProjects(found: MergeRequestDocument[], project?: ProjectRef): Promise<Map<number, ProjectRef>> {
    return project
      ? new Map([[project.id, project]])
      : this.parents.findProjects(found.map(({ projectId }) => projectId));
  }
}
