import {
  type ContextOf,
  getProtectedEnvironment,
  listProtectedEnvironments,
  type ParsedOf,
  protectEnvironment,
  unprotectEnvironment,
  updateProtectedEnvironment,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { requireActive } from '../../pipeline/pipeline-rules';
import { changedGrants } from '../deploy-grants';
import type { DeployGrant } from '../protected-environment.schema';
import { ProtectedEnvironments } from '../protected-environments';
import { DeployGrantOwners } from './deploy-grant-owners';

type Target = ContextOf<typeof protectEnvironment>;

@Controller()
export class ProtectedEnvironmentOperations {
  constructor(
    private readonly protectedEnvironments: ProtectedEnvironments,
    private readonly owners: DeployGrantOwners,
  ) {}

  @Handles(listProtectedEnvironments)
  async list({ project, caller }: Target, input: ParsedOf<typeof listProtectedEnvironments>) {
    const { items, ...rest } = await this.protectedEnvironments.page(project.id, input);
    return { ...rest, items: await this.owners.view(items, caller) };
  }

  @Handles(getProtectedEnvironment)
  async get({ project, caller }: Target, { name }: ParsedOf<typeof getProtectedEnvironment>) {
    return this.owners.viewOne(await this.protectedEnvironments.get(project.id, name), caller);
  }

  @Handles(protectEnvironment)
  async protect({ project, caller }: Target, input: ParsedOf<typeof protectEnvironment>) {
    requireActive(project);
    const given = input.deploy_access_levels;
    await this.owners.requireKnown(given, { project_id: project.id }, caller);
    const firstId = await this.protectedEnvironments.takeGrantIds(given.length);
    const made = await this.protectedEnvironments.add(project.id, input.name, changedGrants([], given, firstId));
    return this.owners.viewOne(made, caller);
  }

  @Handles(updateProtectedEnvironment)
  async update({ project, caller }: Target, input: ParsedOf<typeof updateProtectedEnvironment>) {
    requireActive(project);
    const { name, deploy_access_levels: given = [] } = input;
    await this.owners.requireKnown(given, { project_id: project.id }, caller);
    const firstId = await this.protectedEnvironments.takeGrantIds(Math.max(given.length, 1));
    const change = (grants: DeployGrant[]) => changedGrants(grants, given, firstId);
    return this.owners.viewOne(await this.protectedEnvironments.changeGrants(project.id, name, change), caller);
  }

  @Handles(unprotectEnvironment)
  async unprotect({ project }: Target, { name }: ParsedOf<typeof unprotectEnvironment>): Promise<void> {
    requireActive(project);
    await this.protectedEnvironments.remove(project.id, name);
  }
}
