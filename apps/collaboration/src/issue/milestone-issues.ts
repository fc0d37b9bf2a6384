import {
  type BurndownDay,
  type BurndownEvent,
  type Caller,
  type ContextOf,
  forbidden,
  type GroupRef,
  isFeatureOpen,
  listGroupBurndownEvents,
  listGroupMilestoneIssues,
  listProjectBurndownEvents,
  listProjectMilestoneIssues,
  mostBurndownIssues,
  type Page,
  type ParsedOf,
  type ProjectRef,
  readGroupBurndown,
  readProjectBurndown,
  window,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage, QueryFilter } from 'mongoose';
import { Milestones } from '../milestone/milestone.repository';
import type { MilestoneDocument } from '../milestone/milestone.schema';
import { groupOwner, projectOwner } from '../parent/owner';
import { burndownOf } from './burndown-of';
import type { IssueDocument } from './issue.schema';
import { IssueList } from './issue-list';
import { IssueScope } from './issue-scope';

type Filter = QueryFilter<IssueDocument>;

/** Order of a milestone's issues. See docs/api/milestones.md#3. */
const byUrgency = { order_by: 'label_priority', sort: 'asc' } as const;
const everybody = { scope: 'all' } as const;

/** Issues of a milestone that the caller may see, and their history. */
@Controller()
export class MilestoneIssues {
  constructor(
    private readonly milestones: Milestones,
    private readonly scope: IssueScope,
    private readonly list: IssueList,
    @InjectModel('Issue') private readonly issues: Model<IssueDocument>,
  ) {}

  @Handles(listProjectMilestoneIssues)
  async listOfProject(
    { project, caller }: ContextOf<typeof listProjectMilestoneIssues>,
    input: ParsedOf<typeof listProjectMilestoneIssues>,
  ) {
    const milestone = await this.milestones.get(projectOwner(project.id), input.milestone_id);
    return this.list.page(await this.narrowToProject(milestone, project, caller), { ...input, ...byUrgency }, project);
  }

  @Handles(listGroupMilestoneIssues)
  async listOfGroup(
    { group, caller }: ContextOf<typeof listGroupMilestoneIssues>,
    input: ParsedOf<typeof listGroupMilestoneIssues>,
  ) {
    const milestone = await this.milestones.get(groupOwner(group.id), input.milestone_id);
    return this.list.page(await this.narrowToGroup(milestone, group, caller), { ...input, ...byUrgency });
  }

  @Handles(listProjectBurndownEvents)
  async listBurndownOfProject(
    { project, caller }: ContextOf<typeof listProjectBurndownEvents>,
    input: ParsedOf<typeof listProjectBurndownEvents>,
  ) {
    const milestone = await this.milestones.get(projectOwner(project.id), input.milestone_id);
    return this.pageBurndown(milestone, await this.narrowToProject(milestone, project, caller), input);
  }

  @Handles(listGroupBurndownEvents)
  async listBurndownOfGroup(
    { group, caller }: ContextOf<typeof listGroupBurndownEvents>,
    input: ParsedOf<typeof listGroupBurndownEvents>,
  ) {
    const milestone = await this.milestones.get(groupOwner(group.id), input.milestone_id);
    return this.pageBurndown(milestone, await this.narrowToGroup(milestone, group, caller), input);
  }

  @Handles(readProjectBurndown)
  async readBurndownOfProject(
    { project, caller }: ContextOf<typeof readProjectBurndown>,
    input: ParsedOf<typeof readProjectBurndown>,
  ) {
    const milestone = await this.milestones.get(projectOwner(project.id), input.milestone_id);
    return this.readBurndown(milestone, await this.narrowToProject(milestone, project, caller));
  }

  @Handles(readGroupBurndown)
  async readBurndownOfGroup(
    { group, caller }: ContextOf<typeof readGroupBurndown>,
    input: ParsedOf<typeof readGroupBurndown>,
  ) {
    const milestone = await this.milestones.get(groupOwner(group.id), input.milestone_id);
    return this.readBurndown(milestone, await this.narrowToGroup(milestone, group, caller));
  }

  private async narrowToProject({ _id }: MilestoneDocument, project: ProjectRef, caller?: Caller): Promise<Filter> {
    if (!isFeatureOpen(project, 'issues')) throw forbidden();
    return { ...(await this.scope.narrowToProject(project, caller, everybody)), milestoneId: _id };
  }

  private async narrowToGroup({ _id }: MilestoneDocument, group: GroupRef, caller?: Caller): Promise<Filter> {
    return { ...(await this.scope.narrowToGroup(group, caller, everybody, true)), milestoneId: _id };
  }

  /** Changes up to the due date of the milestone; all changes without a due date. */
  private async pageBurndown(
    { dueDate }: MilestoneDocument,
    filter: Filter,
    input: { page: number; per_page: number },
  ): Promise<Page<BurndownEvent>> {
    const { skip, limit } = window(input);
    const happened: PipelineStage[] = [
      { $match: filter as PipelineStage.Match['$match'] },
      {
        $project: { weight: 1, change: { $concatArrays: [[{ action: 'create', at: '$createdAt' }], '$stateChanges'] } },
      },
      { $unwind: { path: '$change', includeArrayIndex: 'place' } },
      ...(dueDate === null ? [] : [{ $match: { 'change.at': { $lt: dayAfter(dueDate) } } }]),
    ];
    const ordered: PipelineStage[] = [
      { $sort: { 'change.at': 1, _id: 1, place: 1 } },
      { $skip: skip },
      { $limit: limit },
    ];
    const [items, [counted]] = await Promise.all([
      this.issues.aggregate<Happened>([...happened, ...ordered]),
      this.issues.aggregate<{ total: number }>([...happened, { $count: 'total' }]),
    ]);
    return { items: items.map(viewHappened), total: counted?.total ?? 0 };
  }

  private async readBurndown({ dueDate }: MilestoneDocument, filter: Filter): Promise<BurndownDay[] | null> {
    const issues = await this.issues
      .find(filter, { createdAt: 1, stateChanges: 1 })
      .limit(mostBurndownIssues + 1)
      .lean();
    return issues.length > mostBurndownIssues ? null : burndownOf(issues, dueDate);
  }
}

interface Happened {
  weight: number | null;
  change: { action: keyof typeof actions; at: Date };
}

const actions = { create: 'created', close: 'closed', reopen: 'reopened' } as const;

const viewHappened = ({ weight, change }: Happened): BurndownEvent => ({
  created_at: change.at.toISOString(),
  weight,
  action: actions[change.action],
});

const dayAfter = (day: string): Date => new Date(Date.parse(day) + 24 * 60 * 60 * 1000);
