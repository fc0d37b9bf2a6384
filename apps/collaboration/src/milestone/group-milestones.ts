import {
  type ContextOf,
  createGroupMilestone,
  deleteGroupMilestone,
  getGroupMilestone,
  listGroupMilestones,
  type ParsedOf,
  updateGroupMilestone,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { groupOwner, ownersForGroup } from '../parent/owner';
import { Milestones } from './milestone.repository';
import { milestoneChangeOf, newMilestoneOf } from './milestone-input';
import { MilestoneReferences } from './milestone-references';
import { MilestoneViews } from './milestone-views';

@Controller()
export class GroupMilestones {
  constructor(
    private readonly milestones: Milestones,
    private readonly references: MilestoneReferences,
    private readonly views: MilestoneViews,
  ) {}

  @Handles(listGroupMilestones)
  async list({ group }: ContextOf<typeof listGroupMilestones>, input: ParsedOf<typeof listGroupMilestones>) {
    const owners = input.include_parent_milestones ? ownersForGroup(group) : [groupOwner(group.id)];
    const page = await this.milestones.page(owners, input);
    return { ...page, items: await this.views.view(page.items) };
  }

  @Handles(getGroupMilestone)
  async get({ group }: ContextOf<typeof getGroupMilestone>, input: ParsedOf<typeof getGroupMilestone>) {
    const milestone = await this.milestones.get(groupOwner(group.id), input.milestone_id);
    return this.views.viewOfGroup(milestone, group);
  }

  @Handles(createGroupMilestone)
  async create(
    { group, caller }: ContextOf<typeof createGroupMilestone>,
    input: ParsedOf<typeof createGroupMilestone>,
  ) {
    const milestone = { ...newMilestoneOf(input), owner: groupOwner(group.id) };
    return this.views.viewOfGroup(await this.milestones.add(milestone, ownersForGroup(group), caller.id), group);
  }

  @Handles(updateGroupMilestone)
  async update(
    { group, caller }: ContextOf<typeof updateGroupMilestone>,
    input: ParsedOf<typeof updateGroupMilestone>,
  ) {
    const milestone = await this.milestones.get(groupOwner(group.id), input.milestone_id);
    const owners = ownersForGroup(group);
    return this.views.viewOfGroup(
      await this.milestones.change(milestone, milestoneChangeOf(input), owners, caller.id),
      group,
    );
  }

  @Handles(deleteGroupMilestone)
  async remove({ group }: ContextOf<typeof deleteGroupMilestone>, input: ParsedOf<typeof deleteGroupMilestone>) {
    await this.references.remove(await this.milestones.get(groupOwner(group.id), input.milestone_id));
  }
}
