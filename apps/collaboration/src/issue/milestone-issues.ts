import {
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
  type ParsedOf,
  type ProjectRef,
  pageOf,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { Milestones } from '../milestone/milestone.repository';
import type { MilestoneDocument } from '../milestone/milestone.schema';
import { groupOwner, projectOwner } from '../parent/owner';
import type { IssueDocument } from './issue.schema';
import { IssueList } from './issue-list';
import { IssueScope } from './issue-scope';

type Filter = QueryFilter<IssueDocument>;

/** Order of a milestone's issues. See docs/api/milestones.md#3. */
const byUrgency = { order_by: 'label_priority', sort: 'asc' } as const;
const everybody = { scope: 'all' } as const;

/** Issues of a milestone, as far as the caller sees them, and their history. */
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
    return pageOf(await this.listBurndown(milestone, await this.narrowToProject(milestone, project, caller)), input);
  }

  @Handles(listGroupBurndownEvents)
  async listBurndownOfGroup(
    { group, caller }: ContextOf<typeof listGroupBurndownEvents>,
    input: ParsedOf<typeof listGroupBurndownEvents>,
  ) {
    const milestone = await this.milestones.get(groupOwner(group.id), input.milestone_id);
    return pageOf(await this.listBurndown(milestone, await this.narrowToGroup(milestone, group, caller)), input);
  }

  private async narrowToProject({ _id }: MilestoneDocument, project: ProjectRef, caller?: Caller): Promise<Filter> {
    if (!isFeatureOpen(project, 'issues')) throw forbidden();
    return { ...(await this.scope.narrowToProject(project, caller, everybody)), milestoneId: _id };
  }

  private async narrowToGroup({ _id }: MilestoneDocument, group: GroupRef, caller?: Caller): Promise<Filter> {
    return { ...(await this.scope.narrowToGroup(group, caller, everybody, true)), milestoneId: _id };
  }

  /** What happened until the day the milestone is due; all of it where it is not due. */
  private async listBurndown({ dueDate }: MilestoneDocument, filter: Filter): Promise<BurndownEvent[]> {
    const fields = { createdAt: 1, stateChanges: 1, weight: 1 } as const;
    const issues = await this.issues.find(filter, fields).lean<IssueDocument[]>();
    return issues
      .flatMap(historyOf)
      .filter(({ created_at }) => dueDate === null || created_at.slice(0, 10) <= dueDate)
      .sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
  }
}

const actions = { close: 'closed', reopen: 'reopened' } as const;

const historyOf = ({ createdAt, weight, stateChanges }: IssueDocument): BurndownEvent[] => [
  { created_at: createdAt.toISOString(), weight, action: 'created' },
  ...stateChanges.map(({ action, at }) => ({ created_at: at.toISOString(), weight, action: actions[action] })),
];
