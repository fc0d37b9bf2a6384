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
import { chainOf, groupKey } from '../member/source';
import { Namespaces } from '../namespace/namespace.repository';

const countedDays = 90;
const dayMs = 24 * 60 * 60 * 1000;

/** How many people joined a group lately, for its members. See docs/api/groups.md#4. */
@Controller()
export class CountNewMembers {
  constructor(
    private readonly namespaces: Namespaces,
    private readonly members: Members,
    private readonly grants: Grants,
  ) {}

  @Handles(countNewGroupMembers)
  async handle({ caller }: ContextOf<typeof countNewGroupMembers>, input: ParsedOf<typeof countNewGroupMembers>) {
    const groupId = await this.memberGroup(input.group_path, caller);
    const since = new Date(Date.now() - countedDays * dayMs);
    // Members of groups; who is one of a project only is not counted.
    const groups = (await this.namespaces.listWithDescendants(groupId)).map(groupKey);
    return { new_members_count: await this.members.countAdded(groups, since) };
  }

  /** @throws group.not_found; common.forbidden for readers who are no members */
  private async memberGroup(path: string, caller: Caller): Promise<number> {
    const { group } = await this.namespaces.resolveGroup(path);
    const chain = chainOf({ key: groupKey(group._id), groupIds: group.ancestorIds });
    const grants = await this.grants.findLevelsWithin(askerOf(caller), chain);
    const accessLevel = grants.levelInGroup(group);
    if (!isReadable({ visibility: group.visibility, accessLevel }, caller)) throw groupErrors.notFound();
    if (accessLevel < Access.Guest) throw forbidden();
    return group._id;
  }
}
