import {
  addGroupMember,
  addProjectMember,
  type ContextOf,
  invalidParameters,
  type Member,
  OperationError,
  type OutputOf,
  type ParsedOf,
  wordsOf,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { UserDirectory } from '@moothall/users';
import { Controller } from '@nestjs/common';
import { today } from '../../access/grants';
import { requireGrantable, requireInFuture, requireListed, requireNotBelowInherited } from '../level-rules';
import { Members } from '../member.repository';
import { viewMember } from '../member.view';
import type { MemberRoleDocument } from '../member-role.schema';
import { groupSource, projectSource, type Source } from '../source';
import { GrantRoles } from './grant-roles';
import { InheritedLevels } from './inherited-levels';

type AddInput = Pick<ParsedOf<typeof addProjectMember>, 'user_id' | 'access_level' | 'expires_at' | 'member_role_id'>;
type Added = OutputOf<typeof addProjectMember>;

/** Adds users as direct members. */
@Controller()
export class AddMember {
  constructor(
    private readonly members: Members,
    private readonly roles: GrantRoles,
    private readonly inherited: InheritedLevels,
    private readonly users: UserDirectory,
  ) {}

  @Handles(addProjectMember)
  async toProject({ project, caller }: ContextOf<typeof addProjectMember>, input: ParsedOf<typeof addProjectMember>) {
    return this.add(projectSource(project), input, caller.id);
  }

  @Handles(addGroupMember)
  async toGroup({ group, caller }: ContextOf<typeof addGroupMember>, input: ParsedOf<typeof addGroupMember>) {
    return this.add(groupSource(group), input, caller.id);
  }

  private async add(source: Source, input: AddInput, callerId: number): Promise<Added> {
    requireListed(source, input.access_level);
    requireGrantable(source.accessLevel, input.access_level);
    requireInFuture(input.expires_at, today());
    const role = await this.roles.find(source, input);
    const [first, ...others] = input.user_id;
    if (first === undefined) throw invalidParameters('user_id is empty');
    if (others.length === 0) return this.addOne(source, first, input, role, callerId);
    return this.addSeveral(source, [...new Set(input.user_id)], input, role, callerId);
  }

  private async addOne(
    source: Source,
    userId: number,
    input: AddInput,
    role: MemberRoleDocument | undefined,
    callerId: number,
  ): Promise<Member> {
    const user = await this.users.summary(userId);
    requireNotBelowInherited(await this.inherited.findHighest(source, userId), input.access_level);
    const member = await this.members.add({
      source: source.key,
      userId,
      accessLevel: input.access_level,
      expiresAt: input.expires_at,
      memberRoleId: role?._id,
      createdById: callerId,
    });
    await this.roles.confirm(role, () => this.members.remove(member));
    return viewMember(member, user, role);
  }

  /** Adds every user that can be added; the answer names the others. */
  private async addSeveral(
    source: Source,
    userIds: number[],
    input: AddInput,
    role: MemberRoleDocument | undefined,
    callerId: number,
  ): Promise<Added> {
    const failures: Record<string, string> = {};
    for (const userId of userIds) {
      try {
        await this.addOne(source, userId, input, role, callerId);
      } catch (error) {
        if (!(error instanceof OperationError)) throw error;
        const name = (await this.users.records([userId])).get(userId)?.username ?? String(userId);
        failures[name] = wordsOf(error);
      }
    }
    return Object.keys(failures).length > 0 ? { status: 'error', message: failures } : { status: 'success' };
  }
}
