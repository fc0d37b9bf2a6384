import {
  type AccessLevel,
  environmentErrors,
  groupErrors,
  isError,
  memberLevels,
  type ProjectRef,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Environments } from './environment.repository';
import { tierOf } from './environment-name';
import type { DeployGrant, ProtectedRecord } from './protected-environment.schema';
import { GroupProtectedEnvironments, ProtectedEnvironments } from './protected-environments';

/** The user who deploys. */
export interface Deployer {
  id: number;
  isAdmin: boolean;
  /** In the project. */
  accessLevel: AccessLevel;
}

/** The environment, by its name in the project. */
export interface DeployTarget {
  name: string;
  /** The tier in the request; the stored one also counts. */
  tier?: string | undefined;
}

type OwningProject = Pick<ProjectRef, 'id' | 'groupIds'>;

interface Protection {
  record: ProtectedRecord;
  /** The group that protects it; absent if the project does. */
  groupId?: number | undefined;
}

const administrators = 60;

/** Decides who may deploy to an environment, by rules of its project and ancestors. See docs/api/deployments.md#5. */
@Injectable()
export class DeployRights {
  constructor(
    private readonly protectedEnvironments: ProtectedEnvironments,
    private readonly ofGroups: GroupProtectedEnvironments,
    private readonly environments: Environments,
    private readonly client: OperationClient,
  ) {}

  /** @throws environment.is_protected */
  async require(project: OwningProject, target: DeployTarget, deployer: Deployer): Promise<void> {
    if (!(await this.may(project, target, deployer))) throw environmentErrors.isProtected();
  }

  async isProtected(project: OwningProject, target: DeployTarget): Promise<boolean> {
    return (await this.protectionsOf(project, target)).length > 0;
  }

  /** Whether every rule that protects it allows the user. */
  async may(project: OwningProject, target: DeployTarget, deployer: Deployer): Promise<boolean> {
    if (deployer.isAdmin) return true;
    for (const protection of await this.protectionsOf(project, target)) {
      if (!(await this.isLetIn(protection, deployer))) return false;
    }
    return true;
  }

  private async protectionsOf({ id, groupIds }: OwningProject, { name, tier }: DeployTarget): Promise<Protection[]> {
    const own = await this.protectedEnvironments.find(id, name);
    // A job with another tier does not change the stored one, and its own tier also counts from the start.
    const known = groupIds.length > 0 ? (await this.environments.find(id, name))?.tier : undefined;
    const tiers = new Set([known ?? tier ?? tierOf(name), ...(tier === undefined ? [] : [tier])]);
    const above = await this.ofGroups.findAbove(groupIds, [...tiers]);
    return [...(own ? [{ record: own }] : []), ...above.map((record) => ({ record, groupId: record.groupId }))];
  }

  private async isLetIn({ record, groupId }: Protection, deployer: Deployer): Promise<boolean> {
    const accessLevel = groupId === undefined ? deployer.accessLevel : await this.levelIn(groupId, deployer.id);
    if (record.grants.some((grant) => isNamed(grant, { ...deployer, accessLevel }))) return true;
    for (const { groupId: named } of record.grants) {
      if (named !== undefined && (await this.levelIn(named, deployer.id)) > 0) return true;
    }
    return false;
  }

  /** 0 for users who are no members. */
  private async levelIn(group_id: number, userId: number): Promise<number> {
    const levels = await this.client.call(memberLevels, { group_id, user_ids: [userId] }).catch((error: unknown) => {
      // Deleted, and its grants will be deleted.
      if (isError(error, groupErrors.notFound)) return [];
      throw error;
    });
    return levels.find(({ user_id }) => user_id === userId)?.access_level ?? 0;
  }
}

const isNamed = (
  { accessLevel, userId }: DeployGrant,
  { id, accessLevel: level }: { id: number; accessLevel: number },
): boolean => userId === id || (accessLevel !== undefined && accessLevel < administrators && level >= accessLevel);
