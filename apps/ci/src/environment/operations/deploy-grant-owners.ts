import {
  type Caller,
  callerInput,
  type GroupRef,
  type getProtectedEnvironment,
  groupRefs,
  invalidRecord,
  isReadable,
  memberLevels,
  type OutputOf,
  only,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import type { GivenGrant } from '../deploy-grants';
import type { ProtectedRecord } from '../protected-environment.schema';

type View = OutputOf<typeof getProtectedEnvironment>;

const levelNames: Record<number, string> = { 30: 'Developers + Maintainers', 40: 'Maintainers', 60: 'Administrators' };

/** Users and groups of deploy grants, in requests and answers. */
@Injectable()
export class DeployGrantOwners {
  constructor(
    private readonly client: OperationClient,
    private readonly users: UserDirectory,
  ) {}

  /** @throws common.invalid_record for users who are no members there, and groups that the caller does not see */
  async requireKnown(
    given: readonly GivenGrant[],
    place: { project_id: number } | { group_id: number },
    caller: Caller,
  ): Promise<void> {
    const userIds = given.flatMap(({ user_id }) => user_id ?? []);
    const groupIds = given.flatMap(({ group_id }) => group_id ?? []);
    const members = userIds.length ? await this.client.call(memberLevels, { ...place, user_ids: userIds }) : [];
    const groups = await this.findGroups(groupIds, caller);
    const isMember = (id: number) => members.some(({ user_id }) => user_id === id);
    const isSeen = (id: number) => groups.some((group) => group.id === id && isReadable(group, caller));
    const kind = 'project_id' in place ? 'project' : 'group';
    const problems = [
      ...(userIds.every(isMember) ? [] : [`user is not a member of the ${kind}`]),
      ...(groupIds.every(isSeen) ? [] : ['group is not found']),
    ];
    if (problems.length > 0) throw invalidRecord({ deploy_access_levels: problems });
  }

  async viewOne(record: ProtectedRecord, caller: Caller): Promise<View> {
    return only(await this.view([record], caller));
  }

  async view(records: ProtectedRecord[], caller: Caller): Promise<View[]> {
    const grants = records.flatMap((record) => record.grants);
    const groupIds = [...new Set(grants.flatMap(({ groupId }) => groupId ?? []))];
    const [users, groups] = await Promise.all([
      this.users.summaries(grants.flatMap(({ userId }) => userId ?? [])),
      this.findGroups(groupIds, caller),
    ]);
    const groupNames = new Map(groups.filter((one) => isReadable(one, caller)).map(({ id, name }) => [id, name]));
    return records.map(({ name, grants: own }) => ({
      name,
      deploy_access_levels: own.map(({ id, accessLevel, userId, groupId }) => ({
        id,
        access_level: accessLevel ?? null,
        access_level_description:
          levelNames[accessLevel ?? 0] ?? users.get(userId ?? 0)?.name ?? groupNames.get(groupId ?? 0) ?? 'Group',
        user_id: userId ?? null,
        group_id: groupId ?? null,
        group_inheritance_type: 1,
      })),
      required_approval_count: 0,
      approval_rules: [],
    }));
  }

  private async findGroups(ids: number[], caller: Caller): Promise<GroupRef[]> {
    return ids.length > 0 ? this.client.call(groupRefs, { ids, ...callerInput(caller) }) : [];
  }
}
