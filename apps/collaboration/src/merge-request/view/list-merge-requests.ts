import {
  type Caller,
  type ContextOf,
  commonErrors,
  isFeatureOpen,
  listGroupMergeRequests,
  listGroupMilestoneMergeRequests,
  listMergeRequests,
  listMergeRequestsClosingIssue,
  listMergeRequestsOfMilestones,
  listMergeRequestsRelatedToIssue,
  listMergeRequestsWithCommit,
  listProjectMergeRequests,
  listProjectMilestoneMergeRequests,
  type ParsedOf,
} from '@moothall/contracts';
import { findPage } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { Issues } from '../../issue/issue.repository';
import { Milestones } from '../../milestone/milestone.repository';
import { groupOwner, projectOwner } from '../../parent/owner';
import { readsMergeRequests } from '../../parent/reads-code';
import { MergeRequestGit } from '../mergeability/merge-request-git';
import type { MergeRequestDocument } from '../record/merge-request.schema';
import { MergeRequestList } from './merge-request-list';
import { MergeRequestViews } from './merge-request-views';

type Condition = QueryFilter<MergeRequestDocument>;

/** Lists merge requests of a project, of a group, or of everything that the caller may read. */
@Controller()
export class ListMergeRequests {
  constructor(
    @InjectModel('MergeRequest') private readonly mergeRequests: Model<MergeRequestDocument>,
    private readonly pages: MergeRequestList,
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
    return this.pages.ofProject(project, input, caller);
  }

  @Handles(listMergeRequestsOfMilestones)
  async listOfMilestones(
    { project, caller }: ContextOf<typeof listMergeRequestsOfMilestones>,
    input: ParsedOf<typeof listMergeRequestsOfMilestones>,
  ) {
    return this.pages.ofProject(project, input, caller);
  }

  @Handles(listGroupMergeRequests)
  async listOfGroup(
    { group, caller }: ContextOf<typeof listGroupMergeRequests>,
    input: ParsedOf<typeof listGroupMergeRequests>,
  ) {
    return this.pages.across(caller, input, !input.non_archived, group.id);
  }

  @Handles(listMergeRequests)
  async listAll({ caller }: ContextOf<typeof listMergeRequests>, input: ParsedOf<typeof listMergeRequests>) {
    // An anonymous caller is neither author nor assignee. See docs/api/merge-requests.md#2.
    if (!caller && input.scope !== 'all') throw commonErrors.unauthorized();
    return this.pages.across(caller, input, !input.non_archived);
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
    return this.listOfMilestone(_id, await this.pages.filterReadable(caller, true, group.id), input, caller);
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
    const isOpen = isFeatureOpen(project, 'merge_requests') && readsMergeRequests(project);
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
}
