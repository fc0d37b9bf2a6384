import {
  type Caller,
  type listProjectMergeRequests,
  type ParsedOf,
  type ProjectRef,
  scopeOf,
} from '@moothall/contracts';
import { findPage } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { IssuableFilter } from '../../issuable/issuable-filter';
import { mergeConditions } from '../../issue/issue-scope';
import { type OwnerKey, ownersForProject } from '../../parent/owner';
import { ReadableProjects } from '../../parent/readable-projects';
import type { MergeRequestDocument } from '../record/merge-request.schema';
import { MergeRequestViews } from './merge-request-views';

type Condition = QueryFilter<MergeRequestDocument>;
export type MergeRequestListInput = Omit<ParsedOf<typeof listProjectMergeRequests>, 'id'> & {
  milestone_ids?: number[] | undefined;
};
type Input = MergeRequestListInput;

/** Pages of the merge requests that a caller may read, shown. */
@Injectable()
export class MergeRequestList {
  constructor(
    @InjectModel('MergeRequest') private readonly mergeRequests: Model<MergeRequestDocument>,
    private readonly filters: IssuableFilter,
    private readonly readable: ReadableProjects,
    private readonly views: MergeRequestViews,
  ) {}

  async ofProject(project: ProjectRef, input: Input, caller: Caller | undefined) {
    const conditions = await this.buildConditions(input, caller, ownersForProject(project));
    return this.list([{ projectId: project.id }, ...conditions], input, caller, project);
  }

  /** Of a group and its subgroups, or of all projects. */
  async across(caller: Caller | undefined, input: Input, withArchived: boolean, groupId?: number) {
    const [readable, conditions] = await Promise.all([
      this.filterReadable(caller, withArchived, groupId),
      this.buildConditions(input, caller),
    ]);
    return this.list([...conditions, readable], input, caller);
  }

  async filterReadable(caller: Caller | undefined, withArchived: boolean, groupId?: number): Promise<Condition> {
    const where = { feature: 'merge_requests', shows: 'merge_requests', groupId, withArchived } as const;
    const { ids, hidden } = await this.readable.findScope(caller, where);
    if (ids) return { projectId: { $in: ids } };
    // Left out if empty: with the condition, counting would fetch every document.
    return hidden.length > 0 ? { projectId: { $nin: hidden } } : {};
  }

  private async list(conditions: Condition[], input: Input, caller: Caller | undefined, project?: ProjectRef) {
    const state: Condition[] = input.state === 'all' ? [] : [{ state: input.state }];
    const direction = input.sort === 'asc' ? 1 : -1;
    const field = input.order_by === 'updated_at' ? 'updatedAt' : 'createdAt';
    const sort = { [field]: direction, _id: direction } as const;
    const filter = mergeConditions([...conditions, ...state]);
    const { items, total } = await findPage(this.mergeRequests, filter, sort, input, { isLong: true });
    if (input.view === 'simple') return { items: await this.views.viewSimple(items, project), total };
    const options = { withLabelDetails: input.with_labels_details, caller };
    return { items: await this.views.view(items, project, options), total };
  }

  private async buildConditions(input: Input, caller: Caller | undefined, owners?: OwnerKey[]): Promise<Condition[]> {
    const [shared, reviewers] = await Promise.all([
      this.filters.buildConditions({ ...input, scope: scopeOf(input.scope) }, caller, owners),
      this.filterReviewers(input),
    ]);
    const draft = input.draft ?? (input.wip === undefined ? undefined : input.wip === 'yes');
    return [
      ...(shared as Condition[]),
      ...reviewers,
      ...filterExactly('sourceBranch', input.source_branch),
      ...filterExactly('targetBranch', input.target_branch),
      ...filterExactly('sourceProjectId', input.source_project_id),
      ...filterExactly('isDraft', draft),
    ];
  }

  private async filterReviewers({ reviewer_id, reviewer_username }: Input): Promise<Condition[]> {
    if (reviewer_id !== undefined) {
      if (/^none$/i.test(reviewer_id)) return [{ reviewerIds: [] }];
      return [/^any$/i.test(reviewer_id) ? { reviewerIds: { $ne: [] } } : { reviewerIds: Number(reviewer_id) }];
    }
    if (reviewer_username === undefined) return [];
    return [{ reviewerIds: { $in: await this.filters.findUserIds([reviewer_username]) } }];
  }
}

const filterExactly = (field: keyof MergeRequestDocument, value: unknown): Condition[] =>
  value === undefined ? [] : [{ [field]: value }];
