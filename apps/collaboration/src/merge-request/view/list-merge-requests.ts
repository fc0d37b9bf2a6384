import {
  type Caller,
  type ContextOf,
  commonErrors,
  isFeatureOpen,
  listGroupMergeRequests,
  listGroupMilestoneMergeRequests,
  listMergeRequests,
  listMergeRequestsClosingIssue,
  listMergeRequestsRelatedToIssue,
  listProjectMergeRequests,
  listProjectMilestoneMergeRequests,
  type ParsedOf,
  type ProjectRef,
  scopeOf,
} from '@moothall/contracts';
import { findPage } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { IssuableFilter } from '../../issuable/issuable-filter';
import { Issues } from '../../issue/issue.repository';
import { all } from '../../issue/issue-scope';
import { Milestones } from '../../milestone/milestone.repository';
import { groupOwner, type OwnerKey, ownersForProject, projectOwner } from '../../parent/owner';
import { ReadableProjects } from '../../parent/readable-projects';
import { readsCode } from '../../parent/reads-code';
import type { MergeRequestDocument } from '../record/merge-request.schema';
import { MergeRequestViews } from './merge-request-views';

type Condition = QueryFilter<MergeRequestDocument>;
type Input = Omit<ParsedOf<typeof listProjectMergeRequests>, 'id'>;

/** Merge requests of a project, of a group, or of everything the caller reads. */
@Controller()
export class ListMergeRequests {
  constructor(
    @InjectModel('MergeRequest') private readonly mergeRequests: Model<MergeRequestDocument>,
    private readonly filters: IssuableFilter,
    private readonly readable: ReadableProjects,
    private readonly milestones: Milestones,
    private readonly issues: Issues,
    private readonly views: MergeRequestViews,
  ) {}

  @Handles(listProjectMergeRequests)
  async ofProject(
    { project, caller }: ContextOf<typeof listProjectMergeRequests>,
    input: ParsedOf<typeof listProjectMergeRequests>,
  ) {
    const conditions = await this.narrowed(input, caller, ownersForProject(project));
    return this.list([{ projectId: project.id }, ...conditions], input, caller, project);
  }

  @Handles(listGroupMergeRequests)
  async ofGroup(
    { group, caller }: ContextOf<typeof listGroupMergeRequests>,
    input: ParsedOf<typeof listGroupMergeRequests>,
  ) {
    return this.across(caller, input, group.id);
  }

  @Handles(listMergeRequests)
  async ofEverything({ caller }: ContextOf<typeof listMergeRequests>, input: ParsedOf<typeof listMergeRequests>) {
    // Nobody is no author and no assignee. See docs/api/merge-requests.md#2.
    if (!caller && input.scope !== 'all') throw commonErrors.unauthorized();
    return this.across(caller, input);
  }

  @Handles(listProjectMilestoneMergeRequests)
  async ofProjectMilestone(
    { project, caller }: ContextOf<typeof listProjectMilestoneMergeRequests>,
    input: ParsedOf<typeof listProjectMilestoneMergeRequests>,
  ) {
    const { _id } = await this.milestones.get(projectOwner(project.id), input.milestone_id);
    return this.ofMilestone(_id, { projectId: project.id }, input, caller);
  }

  @Handles(listGroupMilestoneMergeRequests)
  async ofGroupMilestone(
    { group, caller }: ContextOf<typeof listGroupMilestoneMergeRequests>,
    input: ParsedOf<typeof listGroupMilestoneMergeRequests>,
  ) {
    const { _id } = await this.milestones.get(groupOwner(group.id), input.milestone_id);
    return this.ofMilestone(_id, await this.readableBy(caller, true, group.id), input, caller);
  }

  @Handles(listMergeRequestsClosingIssue)
  async closing(
    context: ContextOf<typeof listMergeRequestsClosingIssue>,
    input: ParsedOf<typeof listMergeRequestsClosingIssue>,
  ) {
    return this.ofIssue(context, input);
  }

  @Handles(listMergeRequestsRelatedToIssue)
  async related(
    context: ContextOf<typeof listMergeRequestsRelatedToIssue>,
    input: ParsedOf<typeof listMergeRequestsRelatedToIssue>,
  ) {
    return this.ofIssue(context, input);
  }

  private async ofIssue(
    { project, caller }: ContextOf<typeof listMergeRequestsClosingIssue>,
    input: ParsedOf<typeof listMergeRequestsClosingIssue>,
  ) {
    const { closingMergeRequestIds } = await this.issues.get(project, input.issue_iid, caller);
    const isOpen = isFeatureOpen(project, 'merge_requests') && readsCode(project);
    const filter = { _id: { $in: isOpen ? closingMergeRequestIds : [] } };
    const { items, total } = await findPage(this.mergeRequests, filter, { _id: -1 }, input);
    return { items: await this.views.view(items, project, { caller }), total };
  }

  private async ofMilestone(
    milestoneId: number,
    place: Condition,
    input: { page: number; per_page: number },
    caller: Caller | undefined,
  ) {
    const sort = { createdAt: -1, _id: -1 } as const;
    const { items, total } = await findPage(this.mergeRequests, { ...place, milestoneId }, sort, input);
    return { items: await this.views.view(items, undefined, { caller }), total };
  }

  private async across(caller: Caller | undefined, input: Input & { non_archived: boolean }, groupId?: number) {
    const [place, conditions] = await Promise.all([
      this.readableBy(caller, !input.non_archived, groupId),
      this.narrowed(input, caller),
    ]);
    return this.list([...conditions, place], input, caller);
  }

  private async readableBy(caller: Caller | undefined, withArchived: boolean, groupId?: number): Promise<Condition> {
    const where = { feature: 'merge_requests', readsCode: true, groupId, withArchived } as const;
    const { ids, hidden } = await this.readable.scope(caller, where);
    if (ids) return { projectId: { $in: ids } };
    // Left out where it says nothing: with it every row would be fetched to be counted.
    return hidden.length > 0 ? { projectId: { $nin: hidden } } : {};
  }

  private async list(conditions: Condition[], input: Input, caller: Caller | undefined, project?: ProjectRef) {
    const state: Condition[] = input.state === 'all' ? [] : [{ state: input.state }];
    const direction = input.sort === 'asc' ? 1 : -1;
    const field = input.order_by === 'updated_at' ? 'updatedAt' : 'createdAt';
    const sort = { [field]: direction, _id: direction } as const;
    const filter = all([...conditions, ...state] as never) as Condition;
    const { items, total } = await findPage(this.mergeRequests, filter, sort, input);
    if (input.view === 'simple') return { items: await this.views.viewSimple(items, project), total };
    const options = { withLabelDetails: input.with_labels_details, caller };
    return { items: await this.views.view(items, project, options), total };
  }

  private async narrowed(input: Input, caller: Caller | undefined, owners?: OwnerKey[]): Promise<Condition[]> {
    const [shared, reviewers] = await Promise.all([
      this.filters.conditions({ ...input, scope: scopeOf(input.scope) }, caller, owners),
      this.reviewed(input),
    ]);
    const draft = input.draft ?? (input.wip === undefined ? undefined : input.wip === 'yes');
    return [
      ...(shared as Condition[]),
      ...reviewers,
      ...exactly('sourceBranch', input.source_branch),
      ...exactly('targetBranch', input.target_branch),
      ...exactly('sourceProjectId', input.source_project_id),
      ...exactly('isDraft', draft),
    ];
  }

  private async reviewed({ reviewer_id, reviewer_username }: Input): Promise<Condition[]> {
    if (reviewer_id !== undefined) {
      if (/^none$/i.test(reviewer_id)) return [{ reviewerIds: [] }];
      return [/^any$/i.test(reviewer_id) ? { reviewerIds: { $ne: [] } } : { reviewerIds: Number(reviewer_id) }];
    }
    if (reviewer_username === undefined) return [];
    return [{ reviewerIds: { $in: await this.filters.userIds([reviewer_username]) } }];
  }
}

const exactly = (field: keyof MergeRequestDocument, value: unknown): Condition[] =>
  value === undefined ? [] : [{ [field]: value }];
