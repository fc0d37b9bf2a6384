import {
  type ContextOf,
  type Member,
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
import { viewMember } from '../member.view';
import { groupSource, projectSource, type Source } from '../source';
import { InheritedLevels } from './inherited-levels';

type UpdateInput = Pick<ParsedOf<typeof updateProjectMember>, 'user_id' | 'access_level' | 'expires_at'>;

/** Changes the level or the last day of a direct membership. */
@Controller()
export class UpdateMember {
  constructor(
    private readonly members: Members,
    private readonly projects: Projects,
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
    const expiresAt = input.expires_at === undefined ? member.expiresAt : input.expires_at;
    const changed = await this.members.change(member, input.access_level, expiresAt);
    return viewMember(changed, await this.users.summary(input.user_id));
  }
}
