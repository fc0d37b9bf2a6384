import { Access, type ContextOf, milestoneErrors, type ParsedOf, promoteMilestone } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { ownersForGroup, projectOwner } from '../parent/owner';
import { requireWritable } from '../parent/require-writable';
import { mergedIds } from '../promotion/merged-ids';
import { PromotingGroups } from '../promotion/promoting-group';
import { Milestones } from './milestone.repository';
import { MilestoneReferences } from './milestone-references';
import { MilestoneViews } from './milestone-views';

/**
 * Promotes a project milestone to its group, with all milestones of the same title below. See docs/api/milestones.md#5.
 */
@Controller()
export class PromoteMilestone {
  constructor(
    private readonly milestones: Milestones,
    private readonly references: MilestoneReferences,
    private readonly views: MilestoneViews,
    private readonly groups: PromotingGroups,
  ) {}

  @Handles(promoteMilestone)
  async handle({ project, caller }: ContextOf<typeof promoteMilestone>, input: ParsedOf<typeof promoteMilestone>) {
    requireWritable(project);
    const milestone = await this.milestones.get(projectOwner(project.id), input.milestone_id);
    const { owner, group, projects } = await this.groups.find(project, caller, {
      level: Access.Developer,
      noGroup: milestoneErrors.noGroup,
    });
    const { title, description, startDate, dueDate, state } = milestone;
    const same = await this.milestones.findIdsTitled(title, projects);
    const absorbs = mergedIds([milestone._id, ...same]);
    const made = { owner, title, description, startDate, dueDate, state, absorbs };
    const promoted = await this.milestones.add(made, ownersForGroup(group));
    await this.references.merge(promoted);
    return this.views.viewOfGroup(promoted, group);
  }
}
