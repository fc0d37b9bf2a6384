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
  listMergeRequestsWithCommit,
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
import { mergeConditions } from '../../issue/issue-scope';
import { Milestones } from '../../milestone/milestone.repository';
import { groupOwner, type OwnerKey, ownersForProject, projectOwner } from '../../parent/owner';
import { ReadableProjects } from '../../parent/readable-projects';
import { readsCode } from '../../parent/reads-code';
import { MergeRequestGit } from '../mergeability/merge-request-git';
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
    private readonly git: MergeRequestGit,
    private readonly views: MergeRequestViews,
  ) {}

  @Handles(listProjectMergeRequests)
  async listOfProject(
    { project, caller }: ContextOf<typeof listProjectMergeRequests>,
    input: ParsedOf<typeof listProjectMergeRequests>,
  ) {
    const conditions = await this.buildConditions(input, caller, ownersForProject(project));
    return this.list([{ projectId: project.id }, ...conditions], input, caller, project);
  }

  @Handles(listGroupMergeRequests)
  async listOfGroup(
    { group, caller }: ContextOf<typeof listGroupMergeRequests>,
    input: ParsedOf<typeof listGroupMergeRequests>,
  ) {
    return this.listAcross(caller, input, group.id);
  }

  @Handles(listMergeRequests)
  async listAll({ caller }: ContextOf<typeof listMergeRequests>, input: ParsedOf<typeof listMergeRequests>) {
    // Nobody is no author and no assignee. See docs/api/merge-requests.md#2.
    if (!caller && input.scope !== 'all') throw commonErrors.unauthorized();
    return this.listAcross(caller, input);
  }

  @Handles(listProjectMilestoneMergeRequests)
  async listOfProjectMilestone(
    { project, caller }: ContextOf<typeof listProjectMilestoneMergeRequests>,
    input: ParsedOf<typeof listProjectMilestoneMergeRequests>,
  ) {
    const { _id } = await this.milestones.get(projectOwner(project.id), input.milestone_id);
    return this.listOfMilestone(_id, { projectId: project.id }, input, caller);
  }

  @Handles(listGroupMilestoneMergeRequests)
  async listOfGroupMilestone(
    { group, caller }: ContextOf<typeof listGroupMilestoneMergeRequests>,
    input: ParsedOf<typeof listGroupMilestoneMergeRequests>,
  ) {
    const { _id } = await this.milestones.get(groupOwner(group.id), input.milestone_id);
    return this.listOfMilestone(_id, await this.filterReadable(caller, true, group.id), input, caller);
  }

  @Handles(listMergeRequestsClosingIssue)
  async listClosing(
    context: ContextOf<typeof listMergeRequestsClosingIssue>,
    input: ParsedOf<typeof listMergeRequestsClosingIssue>,
  ) {
    return this.listOfIssue(context, input);
  }

  @Handles(listMergeRequestsRelatedToIssue)
  async listRelated(
    context: ContextOf<typeof listMergeRequestsRelatedToIssue>,
    input: ParsedOf<typeof listMergeRequestsRelatedToIssue>,
  ) {
    return this.listOfIssue(context, input);
  }

  /** See docs/api/merge-requests.md#11. */
  @Handles(listMergeRequestsWithCommit)
  async listWithCommit(
    { project, caller }: ContextOf<typeof listMergeRequestsWithCommit>,
    input: ParsedOf<typeof listMergeRequestsWithCommit>,
  ) {
    const { sha, iids } = await this.git.listHeadsWith(input.sha, project);
    const projectId = project.id;
    const having = await this.mergeRequests
      .find({ projectId, iid: { $in: iids } }, { iid: 1, baseSha: 1 })
      .lean<{ iid: number; baseSha: string | null }[]>();
    const bases = [...new Set(having.flatMap(({ baseSha }) => baseSha ?? []))];
    const before = await this.git.findHistoriesWith(sha, bases, project);
    const bringing = having.filter(({ baseSha }) => baseSha === null || !before.has(baseSha)).map(({ iid }) => iid);
    const filter: Condition = {
      $or: [
        { projectId, iid: { $in: bringing } },
        { projectId, mergeCommitSha: sha },
        { projectId, squashCommitSha: sha },
      ],
      ...(input.state !== 'all' && { state: input.state }),
    };
    const { items, total } = await findPage(this.mergeRequests, filter, { _id: -1 }, input);
    return { items: await this.views.view(items, project, { caller }), total };
  }

  private async listOfIssue(
    { project, caller }: ContextOf<typeof listMergeRequestsClosingIssue>,
    input: ParsedOf<typeof listMergeRequestsClosingIssue>,
  ) {
    const { closingMergeRequestIds } = await this.issues.get(project, input.issue_iid, caller);
    const isOpen = isFeatureOpen(project, 'merge_requests') && readsCode(project);
    const filter = { _id: { $in: isOpen ? closingMergeRequestIds : [] } };
    const { items, total } = await findPage(this.mergeRequests, filter, { _id: -1 }, input);
    return { items: await this.views.view(items, project, { caller }), total };
  }

  private async listOfMilestone(
    milestoneId: number,
    readable: Condition,
    input: { page: number; per_page: number },
    caller: Caller | undefined,
  ) {
    const sort = { createdAt: -1, _id: -1 } as const;
    const { items, total } = await findPage(this.mergeRequests, { ...readable, milestoneId }, sort, input);
    return { items: await this.views.view(items, undefined, { caller }), total };
  }

  private async listAcross(caller: Caller | undefined, input: Input & { non_archived: boolean }, groupId?: number) {
    const [readable, conditions] = await Promise.all([
      this.filterReadable(caller, !input.non_archived, groupId),
      this.buildConditions(input, caller),
    ]);
    return this.list([...conditions, readable], input, caller);
  }

  private async filterReadable(
    caller: Caller | undefined,
    withArchived: boolean,
    groupId?: number,
  ): Promise<Condition> {
    const where = { feature: 'merge_requests', readsCode: true, groupId, withArchived } as const;
    const { ids, hidden } = await this.readable.findScope(caller, where);
    if (ids) return { projectId: { $in: ids } };
    // Left out where it says nothing: with it every row would be fetched to be counted.
    return hidden.length > 0 ? { projectId: { $nin: hidden } } : {};
  }

  private async list(conditions: Condition[], input: Input, caller: Caller | undefined, project?: ProjectRef) {
    const state: Condition[] = input.state === 'all' ? [] : [{ state: input.state }];
    const direction = input.sort === 'asc' ? 1 : -1;
    const field = input.order_by === 'updated_at' ? 'updatedAt' : 'createdAt';
    const sort = { [field]: direction, _id: direction } as const;
    const filter = mergeConditions([...conditions, ...state]);
    const { items, total } = await findPage(this.mergeRequests, filter, sort, input);
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
