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
import { groupSource, projectSource, type Source } from '../source';
import { InheritedLevels } from './inherited-levels';

type AddInput = Pick<ParsedOf<typeof addProjectMember>, 'user_id' | 'access_level' | 'expires_at'>;
type Added = OutputOf<typeof addProjectMember>;

/** Makes users direct members. */
@Controller()
export class AddMember {
  constructor(
    private readonly members: Members,
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
    const [first, ...others] = input.user_id;
    if (first === undefined) throw invalidParameters('user_id is empty');
    if (others.length === 0) return this.addOne(source, first, input, callerId);
    return this.addSeveral(source, [...new Set(input.user_id)], input, callerId);
  }

  private async addOne(source: Source, userId: number, input: AddInput, callerId: number): Promise<Member> {
    const user = await this.users.summary(userId);
    requireNotBelowInherited(await this.inherited.findHighest(source, userId), input.access_level);
    const member = await this.members.add({
      source: source.key,
      userId,
      accessLevel: input.access_level,
      expiresAt: input.expires_at,
      createdById: callerId,
    });
    return viewMember(member, user);
  }

  /** Whoever can be added is; the answer names the others. */
  private async addSeveral(source: Source, userIds: number[], input: AddInput, callerId: number): Promise<Added> {
    const failures: Record<string, string> = {};
    for (const userId of userIds) {
      try {
        await this.addOne(source, userId, input, callerId);
      } catch (error) {
        if (!(error instanceof OperationError)) throw error;
        const name = (await this.users.records([userId])).get(userId)?.username ?? String(userId);
        failures[name] = wordsOf(error);
      }
    }
    return Object.keys(failures).length > 0 ? { status: 'error', message: failures } : { status: 'success' };
  }
}
