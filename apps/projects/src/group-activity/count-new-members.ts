import {
  Access,
  type Caller,
  type ContextOf,
  callerInput,
  countNewGroupMembers,
  forbidden,
  groupErrors,
  isReadable,
  type ParsedOf,
  resolveGroup,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Members } from '../member/member.repository';
import { groupKey } from '../member/source';
import { Namespaces } from '../namespace/namespace.repository';

const countedDays = 90;
const dayMs = 24 * 60 * 60 * 1000;

/** Number of new members of a group, for its members. See docs/api/groups.md#4. */
@Controller()
export class CountNewMembers {
  constructor(
    private readonly namespaces: Namespaces,
    private readonly members: Members,
    private readonly client: OperationClient,
  ) {}

  @Handles(countNewGroupMembers)
  async handle({ caller }: ContextOf<typeof countNewGroupMembers>, input: ParsedOf<typeof countNewGroupMembers>) {
    const groupId = await this.memberGroup(input.group_path, caller);
    const since = new Date(Date.now() - countedDays * dayMs);
    // Counts members of groups; members of projects alone are not counted.
    const groups = (await this.namespaces.listWithDescendants(groupId)).map(groupKey);
    return { new_members_count: await this.members.countAdded(groups, since) };
  }

  /** @throws group.not_found; common.forbidden for readers who are not members */
  private async memberGroup(path: string, caller: Caller): Promise<number> {
    const { group } = await this.client.call(resolveGroup, { group: path, ...callerInput(caller) });
    if (!isReadable(group, caller)) throw groupErrors.notFound();
    if (group.accessLevel < Access.Guest) throw forbidden();
    return group.id;
  }
}
