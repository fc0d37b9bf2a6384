import {
  type ContextOf,
  commonErrors,
  isError,
  type Member,
  onlyGiven,
  type ParsedOf,
  updateGroupMember,
  updateProjectMember,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { UserDirectory } from '@moothall/users';
import { Controller } from '@nestjs/common';
import { today } from '../../access/grants';
import { Projects } from '../../project/project.repository';
import {
  requireGrantable,
  requireInFuture,
  requireListed,
  requireNotBelowInherited,
  requireNotOwner,
} from '../level-rules';
import { Members } from '../member.repository';
import type { MemberDocument } from '../member.schema';
import { viewMember } from '../member.view';
import { groupSource, projectSource, type Source } from '../source';
import { GrantRoles } from './grant-roles';
import { InheritedLevels } from './inherited-levels';

type UpdateInput = Pick<
  ParsedOf<typeof updateProjectMember>,
  'user_id' | 'access_level' | 'expires_at' | 'member_role_id'
>;

/** Changes the level, role or last day of a direct membership. */
@Controller()
export class UpdateMember {
  constructor(
    private readonly members: Members,
    private readonly projects: Projects,
    private readonly roles: GrantRoles,
    private readonly inherited: InheritedLevels,
    private readonly users: UserDirectory,
  ) {}

  @Handles(updateProjectMember)
  async updateInProject(
    { project }: ContextOf<typeof updateProjectMember>,
    input: ParsedOf<typeof updateProjectMember>,
  ) {
    requireNotOwner(await this.projects.get(project.id), input.user_id);
    return this.update(projectSource(project), input);
  }

  @Handles(updateGroupMember)
  async updateInGroup({ group }: ContextOf<typeof updateGroupMember>, input: ParsedOf<typeof updateGroupMember>) {
    return this.update(groupSource(group), input);
  }

  private async update(source: Source, input: UpdateInput): Promise<Member> {
    const member = await this.members.get(source.key, input.user_id);
    requireListed(source, input.access_level);
    requireGrantable(source.accessLevel, Math.max(member.accessLevel, input.access_level));
    requireInFuture(input.expires_at, today());
    requireNotBelowInherited(await this.inherited.findHighest(source, input.user_id), input.access_level);
    const given = await this.roles.find(source, input);
    const { access_level: accessLevel, expires_at: expiresAt } = input;
    const memberRoleId = given?._id ?? input.member_role_id;
    const changed = await this.members.change(member, { accessLevel, expiresAt, memberRoleId });
    await this.roles.confirm(given, () => this.takeBack(member, changed));
    const role = given ?? (await this.roles.ofMember(source, changed));
    return viewMember(changed, await this.users.summary(input.user_id), role);
  }

  /** Reverts a change unless another request changed it since. */
  private async takeBack(before: MemberDocument, changed: MemberDocument): Promise<void> {
    const { accessLevel, expiresAt, memberRoleId = null } = before;
    const still = { accessLevel: changed.accessLevel, ...onlyGiven({ memberRoleId: changed.memberRoleId }) };
    await this.members.change(changed, { accessLevel, expiresAt, memberRoleId }, still).catch((error: unknown) => {
      if (!isError(error, commonErrors.notFound)) throw error;
    });
  }
}
