import { memberRoleErrors } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import type { MemberDocument } from '../member.schema';
import type { MemberRoleDocument } from '../member-role.schema';
import { MemberRoles } from '../member-roles';
import { requireRoleGrantable } from '../role-rules';
import type { Source } from '../source';

interface Wanted {
  access_level: number;
  member_role_id?: number | null | undefined;
}

/** Assigns roles to members and checks who may. */
@Injectable()
export class GrantRoles {
  constructor(private readonly roles: MemberRoles) {}

  /** The role to assign. @throws member_role.not_found, member_role.other_base, common.forbidden */
  async find(source: Source, { access_level, member_role_id }: Wanted): Promise<MemberRoleDocument | undefined> {
    if (member_role_id === undefined || member_role_id === null) return undefined;
    const role = await this.roles.getFor(source, member_role_id);
    if (role.baseAccessLevel !== access_level) throw memberRoleErrors.otherBase();
    requireRoleGrantable(source, role);
    return role;
  }

  /** If the role was deleted meanwhile, the assignment is reverted. @throws member_role.not_found, after `undo` */
  async confirm(role: MemberRoleDocument | undefined, undo: () => Promise<unknown>): Promise<void> {
    if (!role || (await this.roles.confirm(role._id))) return;
    await undo();
    throw memberRoleErrors.notFound();
  }

  async ofMember(source: Source, member: MemberDocument): Promise<MemberRoleDocument | undefined> {
    const [role] = await this.roles.ofMembers(source, [member]);
    return role;
  }
}
