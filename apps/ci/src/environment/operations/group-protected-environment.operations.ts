import {
  type ContextOf,
  getGroupProtectedEnvironment,
  listGroupProtectedEnvironments,
  type ParsedOf,
  protectGroupEnvironment,
  unprotectGroupEnvironment,
  updateGroupProtectedEnvironment,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { changedGrants } from '../deploy-grants';
import type { DeployGrant } from '../protected-environment.schema';
import { GroupProtectedEnvironments } from '../protected-environments';
import { DeployGrantOwners } from './deploy-grant-owners';

type Target = ContextOf<typeof protectGroupEnvironment>;

/** Tiers of environments that groups protect. See docs/api/deployments.md#7. */
@Controller()
export class GroupProtectedEnvironmentOperations {
  constructor(
    private readonly protectedEnvironments: GroupProtectedEnvironments,
    private readonly owners: DeployGrantOwners,
  ) {}

  @Handles(listGroupProtectedEnvironments)
  async list({ group, caller }: Target, input: ParsedOf<typeof listGroupProtectedEnvironments>) {
    const { items, ...rest } = await this.protectedEnvironments.page(group.id, input);
    return { ...rest, items: await this.owners.view(items, caller) };
  }

  @Handles(getGroupProtectedEnvironment)
  async get({ group, caller }: Target, { name }: ParsedOf<typeof getGroupProtectedEnvironment>) {
    return this.owners.viewOne(await this.protectedEnvironments.get(group.id, name), caller);
  }

  @Handles(protectGroupEnvironment)
  async protect({ group, caller }: Target, input: ParsedOf<typeof protectGroupEnvironment>) {
    const given = input.deploy_access_levels;
    await this.owners.requireKnown(given, { group_id: group.id }, caller);
    const firstId = await this.protectedEnvironments.takeGrantIds(given.length);
    const made = await this.protectedEnvironments.add(group.id, input.name, changedGrants([], given, firstId));
    return this.owners.viewOne(made, caller);
  }

  @Handles(updateGroupProtectedEnvironment)
  async update({ group, caller }: Target, input: ParsedOf<typeof updateGroupProtectedEnvironment>) {
    const { name, deploy_access_levels: given = [] } = input;
    await this.owners.requireKnown(given, { group_id: group.id }, caller);
    const firstId = await this.protectedEnvironments.takeGrantIds(Math.max(given.length, 1));
    const change = (grants: DeployGrant[]) => changedGrants(grants, given, firstId);
    return this.owners.viewOne(await this.protectedEnvironments.changeGrants(group.id, name, change), caller);
  }

  @Handles(unprotectGroupEnvironment)
  async unprotect({ group }: Target, { name }: ParsedOf<typeof unprotectGroupEnvironment>): Promise<void> {
    await this.protectedEnvironments.remove(group.id, name);
  }
}
