import {
  type Ability,
  type ContextOf,
  createGroupMemberRole,
  createMemberRole,
  deleteGroupMemberRole,
  deleteMemberRole,
  listGroupMemberRoles,
  listMemberRoles,
  memberRoleErrors,
  type ParsedOf,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Namespaces } from '../../namespace/namespace.repository';
import { Projects } from '../../project/project.repository';
import { Members } from '../member.repository';
import type { MemberRoleDocument } from '../member-role.schema';
import { viewMemberRole } from '../member-role.view';
import { MemberRoles } from '../member-roles';
import { requireWhole } from '../role-rules';
import { keyParts } from '../source';

type Creation = Omit<ParsedOf<typeof createMemberRole>, Ability> & Partial<Record<Ability, boolean>>;

/** Operations on member roles. See docs/api/members.md#6. */
@Controller()
export class MemberRoleOperations {
  constructor(
    private readonly roles: MemberRoles,
    private readonly members: Members,
    private readonly namespaces: Namespaces,
    private readonly projects: Projects,
  ) {}

  @Handles(listMemberRoles)
  async list(_context: ContextOf<typeof listMemberRoles>, _input: ParsedOf<typeof listMemberRoles>) {
    return (await this.roles.list(null)).map(viewMemberRole);
  }

  @Handles(listGroupMemberRoles)
  async listOfGroup({ group }: ContextOf<typeof listGroupMemberRoles>, _input: ParsedOf<typeof listGroupMemberRoles>) {
    return (await this.roles.list(group.id)).map(viewMemberRole);
  }

  @Handles(createMemberRole)
  async create(_context: ContextOf<typeof createMemberRole>, input: ParsedOf<typeof createMemberRole>) {
    return this.add(null, input);
  }

  @Handles(createGroupMemberRole)
  async createInGroup(
    { group }: ContextOf<typeof createGroupMemberRole>,
    input: ParsedOf<typeof createGroupMemberRole>,
  ) {
    if (group.parentId !== null) throw memberRoleErrors.notAtTop();
    return this.add(group.id, input);
  }

  @Handles(deleteMemberRole)
  async delete(
    _context: ContextOf<typeof deleteMemberRole>,
    { member_role_id }: ParsedOf<typeof deleteMemberRole>,
  ): Promise<void> {
    await this.remove(await this.roles.get(null, member_role_id));
  }

  @Handles(deleteGroupMemberRole)
  async deleteFromGroup(
    { group }: ContextOf<typeof deleteGroupMemberRole>,
    { member_role_id }: ParsedOf<typeof deleteGroupMemberRole>,
  ): Promise<void> {
    await this.remove(await this.roles.get(group.id, member_role_id));
  }

  private async add(groupId: number | null, input: Creation) {
    const { name, description = null, base_access_level: baseAccessLevel } = input;
    const abilities = requireWhole(input);
    return viewMemberRole(await this.roles.add({ groupId, name, description, baseAccessLevel, abilities }));
  }

  private async remove(role: MemberRoleDocument): Promise<void> {
    await this.roles.remove(role._id, () => this.isInUse(role));
  }

  /** Members of a transferred project still name the role without having it: they do not count. */
  private async isInUse({ _id, groupId }: MemberRoleDocument): Promise<boolean> {
    const sources = (await this.members.sourcesWithRole(_id)).map(keyParts);
    if (groupId === null) return sources.length > 0;
    const idsOf = (wanted: 'project' | 'group') => sources.flatMap(({ kind, id }) => (kind === wanted ? id : []));
    const [group, project] = await Promise.all([
      this.namespaces.model.exists({ _id: { $in: idsOf('group') }, $or: [{ _id: groupId }, { ancestorIds: groupId }] }),
      this.projects.model.exists({ _id: { $in: idsOf('project') }, groupIds: groupId }),
    ]);
    return group !== null || project !== null;
  }
}
