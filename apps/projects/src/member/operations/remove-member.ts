import { type ContextOf, type ParsedOf, removeGroupMember, removeProjectMember } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import type { QueryFilter } from 'mongoose';
import { Namespaces } from '../../namespace/namespace.repository';
import { Projects } from '../../project/project.repository';
import { requireNotOwner, requireRemovable } from '../level-rules';
import { Members } from '../member.repository';
import type { MemberDocument } from '../member.schema';
import { groupKey, groupSource, projectKey, projectSource, type Source } from '../source';

/** Removes a direct membership: a member leaves or is removed. */
@Controller()
export class RemoveMember {
  constructor(
    private readonly members: Members,
    private readonly namespaces: Namespaces,
    private readonly projects: Projects,
  ) {}

  @Handles(removeProjectMember)
  async removeFromProject(
    { project, caller }: ContextOf<typeof removeProjectMember>,
    input: ParsedOf<typeof removeProjectMember>,
  ): Promise<void> {
    requireNotOwner(await this.projects.get(project.id), input.user_id);
    await this.remove(projectSource(project), input.user_id, caller.id);
  }

  @Handles(removeGroupMember)
  async removeFromGroup(
    { group, caller }: ContextOf<typeof removeGroupMember>,
    input: ParsedOf<typeof removeGroupMember>,
  ): Promise<void> {
    await this.remove(groupSource(group), input.user_id, caller.id);
    if (!input.skip_subresources) await this.removeBelow(group.id, input.user_id);
  }

  private async remove(source: Source, userId: number, callerId: number): Promise<void> {
    const member = await this.members.get(source.key, userId);
    requireRemovable(source, member, callerId);
    await this.members.remove(member);
  }

  /** Direct memberships in subgroups and projects are removed with the one in the group. */
  private async removeBelow(groupId: number, userId: number): Promise<void> {
    const memberships = await this.members.listOfUser(userId);
    if (memberships.length === 0) return;
    const groupIds = await this.namespaces.listWithDescendants(groupId);
    const inGroups: QueryFilter<MemberDocument> = { groupIds: groupId };
    const projects = await this.projects.model.find(inGroups, { _id: 1 }).lean<{ _id: number }[]>();
    const below = new Set<string>([...groupIds.map(groupKey), ...projects.map(({ _id }) => projectKey(_id))]);
    for (const member of memberships.filter(({ source }) => below.has(source))) await this.members.remove(member);
  }
}
