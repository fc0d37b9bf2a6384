import {
  Access,
  type Caller,
  type ContextOf,
  countNewGroupMembers,
  forbidden,
  groupErrors,
  isReadable,
  type ParsedOf,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { askerOf, Grants } from '../access/grants';
import { Members } from '../member/member.repository';
import { chainOf, groupKey, projectKey, type SourceKey } from '../member/source';
import { Namespaces } from '../namespace/namespace.repository';
import { Projects } from '../project/project.repository';

const countedDays = 90;
const dayMs = 24 * 60 * 60 * 1000;

/** How many people joined a group lately, for its members. Source: clarifications B.18. */
@Controller()
export class CountNewMembers {
  constructor(
    private readonly namespaces: Namespaces,
    private readonly projects: Projects,
    private readonly members: Members,
    private readonly grants: Grants,
  ) {}

  @Handles(countNewGroupMembers)
  async handle({ caller }: ContextOf<typeof countNewGroupMembers>, input: ParsedOf<typeof countNewGroupMembers>) {
    const groupId = await this.memberGroup(input.group_path, caller);
    const since = new Date(Date.now() - countedDays * dayMs);
    return { new_members_count: await this.members.countAdded(await this.sourcesWithin(groupId), since) };
  }

  /** @throws group.not_found; common.forbidden for readers who are no members */
  private async memberGroup(path: string, caller: Caller): Promise<number> {
    const { group } = await this.namespaces.resolveGroup(path);
    const chain = chainOf({ key: groupKey(group._id), groupIds: group.ancestorIds });
    const grants = await this.grants.within(askerOf(caller), chain);
    const accessLevel = grants.inGroup(group);
    if (!isReadable({ visibility: group.visibility, accessLevel }, caller)) throw groupErrors.notFound();
    if (accessLevel < Access.Guest) throw forbidden();
    return group._id;
  }

  private async sourcesWithin(groupId: number): Promise<SourceKey[]> {
    const [groups, projects] = await Promise.all([
      this.namespaces.withDescendants(groupId),
      this.projects.model.find({ groupIds: groupId }, { _id: 1 }).lean<{ _id: number }[]>(),
    ]);
    return [...groups.map(groupKey), ...projects.map(({ _id }) => projectKey(_id))];
  }
}
