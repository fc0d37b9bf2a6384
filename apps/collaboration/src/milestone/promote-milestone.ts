import {
  Access,
  askedBy,
  type ContextOf,
  forbidden,
  milestoneErrors,
  type ParsedOf,
  promoteMilestone,
  readableProjects,
  resolveGroup,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { groupOwner, ownersForGroup, projectOwner } from '../parent/owner';
import { requireWritable } from '../parent/require-writable';
import { Milestones } from './milestone.repository';
import { MilestoneReferences } from './milestone-references';
import { MilestoneViews } from './milestone-views';

/** Makes a project's milestone one of its group, together with all of its title below. See docs/api/milestones.md#5. */
@Controller()
export class PromoteMilestone {
  constructor(
    private readonly milestones: Milestones,
    private readonly references: MilestoneReferences,
    private readonly views: MilestoneViews,
    private readonly client: OperationClient,
  ) {}

  @Handles(promoteMilestone)
  async handle({ project, caller }: ContextOf<typeof promoteMilestone>, input: ParsedOf<typeof promoteMilestone>) {
    requireWritable(project);
    const milestone = await this.milestones.get(projectOwner(project.id), input.milestone_id);
    const groupId = project.groupIds[0];
    if (groupId === undefined) throw milestoneErrors.noGroup();
    const { group } = await this.client.call(resolveGroup, { group: String(groupId), ...askedBy(caller) });
    if (group.accessLevel < Access.Developer) throw forbidden();
    const { title, description, startDate, dueDate, state } = milestone;
    const promoted = await this.milestones.add(
      {
        owner: groupOwner(groupId),
        title,
        description,
        startDate,
        dueDate,
        state,
        absorbs: await this.findIdsBelow(groupId, title),
      },
      ownersForGroup(group),
    );
    await this.references.absorb(promoted);
    return (await this.views.view([promoted]))[0]!;
  }

  private async findIdsBelow(groupId: number, title: string): Promise<number[]> {
    const projects = await this.client.call(readableProjects, { user_id: null, is_admin: true, group_id: groupId });
    return this.milestones.findIdsTitled(
      title,
      projects.map(({ id }) => projectOwner(id)),
    );
  }
}
