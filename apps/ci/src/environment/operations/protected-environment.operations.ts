import {
  askedBy,
  type Caller,
  type ContextOf,
  getProtectedEnvironment,
  groupRefs,
  invalidRecord,
  isReadable,
  listProtectedEnvironments,
  memberLevels,
  type OutputOf,
  only,
  type ParsedOf,
  type ProjectRef,
  protectEnvironment,
  unprotectEnvironment,
  updateProtectedEnvironment,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { UserDirectory } from '@moothall/users';
import { Controller } from '@nestjs/common';
import { requireActive } from '../../pipeline/pipeline-rules';
import { changedGrants, type GivenGrant } from '../deploy-grants';
import type { DeployGrant, ProtectedEnvironmentRecord } from '../protected-environment.schema';
import { ProtectedEnvironments } from '../protected-environments';

type Target = ContextOf<typeof protectEnvironment>;
type View = OutputOf<typeof getProtectedEnvironment>;

const levelNames: Record<number, string> = { 30: 'Developers + Maintainers', 40: 'Maintainers', 60: 'Administrators' };

@Controller()
export class ProtectedEnvironmentOperations {
  constructor(
    private readonly protectedEnvironments: ProtectedEnvironments,
    private readonly client: OperationClient,
    private readonly users: UserDirectory,
  ) {}

  @Handles(listProtectedEnvironments)
  async list({ project, caller }: Target, input: ParsedOf<typeof listProtectedEnvironments>) {
    const { items, ...rest } = await this.protectedEnvironments.page(project.id, input);
    return { ...rest, items: await this.view(items, caller) };
  }

  @Handles(getProtectedEnvironment)
  async get({ project, caller }: Target, { name }: ParsedOf<typeof getProtectedEnvironment>) {
    return this.viewOne(await this.protectedEnvironments.get(project.id, name), caller);
  }

  @Handles(protectEnvironment)
  async protect({ project, caller }: Target, input: ParsedOf<typeof protectEnvironment>) {
    requireActive(project);
    const given = input.deploy_access_levels;
    await this.requireKnown(given, project, caller);
    const firstId = await this.protectedEnvironments.takeGrantIds(given.length);
    const made = await this.protectedEnvironments.add(project.id, input.name, changedGrants([], given, firstId));
    return this.viewOne(made, caller);
  }

  @Handles(updateProtectedEnvironment)
  async update({ project, caller }: Target, input: ParsedOf<typeof updateProtectedEnvironment>) {
    requireActive(project);
    const { name, deploy_access_levels: given = [] } = input;
    await this.requireKnown(given, project, caller);
    const firstId = await this.protectedEnvironments.takeGrantIds(Math.max(given.length, 1));
    const change = (grants: DeployGrant[]) => changedGrants(grants, given, firstId);
    return this.viewOne(await this.protectedEnvironments.changeGrants(project.id, name, change), caller);
  }

  @Handles(unprotectEnvironment)
  async unprotect({ project }: Target, { name }: ParsedOf<typeof unprotectEnvironment>): Promise<void> {
    requireActive(project);
    await this.protectedEnvironments.remove(project.id, name);
  }

  /** @throws common.invalid_record for users who are no members, and groups that the caller does not see */
  private async requireKnown(given: readonly GivenGrant[], project: ProjectRef, caller: Caller): Promise<void> {
    const userIds = given.flatMap(({ user_id }) => user_id ?? []);
    const groupIds = given.flatMap(({ group_id }) => group_id ?? []);
    const members = userIds.length
      ? await this.client.call(memberLevels, { project_id: project.id, user_ids: userIds })
      : [];
    const groups = groupIds.length ? await this.client.call(groupRefs, { ids: groupIds, ...askedBy(caller) }) : [];
    const isMember = (id: number) => members.some(({ user_id }) => user_id === id);
    const isSeen = (id: number) => groups.some((group) => group.id === id && isReadable(group, caller));
    const problems = [
      ...(userIds.every(isMember) ? [] : ['user is not a member of the project']),
      ...(groupIds.every(isSeen) ? [] : ['group is not found']),
    ];
    if (problems.length > 0) throw invalidRecord({ deploy_access_levels: problems });
  }

  private async viewOne(record: ProtectedEnvironmentRecord, caller: Caller): Promise<View> {
    return only(await this.view([record], caller));
  }

  private async view(records: ProtectedEnvironmentRecord[], caller: Caller): Promise<View[]> {
    const grants = records.flatMap((record) => record.grants);
    const groupIds = [...new Set(grants.flatMap(({ groupId }) => groupId ?? []))];
    const [users, groups] = await Promise.all([
      this.users.summaries(grants.flatMap(({ userId }) => userId ?? [])),
      groupIds.length ? this.client.call(groupRefs, { ids: groupIds, ...askedBy(caller) }) : [],
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
}
