import { type AccessLevel, environmentErrors, groupErrors, isError, memberLevels } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import type { DeployGrant } from './protected-environment.schema';
import { ProtectedEnvironments } from './protected-environments';

/** Who wants to deploy. */
export interface Deployer {
  id: number;
  isAdmin: boolean;
  /** In the project. */
  accessLevel: AccessLevel;
}

const administrators = 60;

/** Who may deploy to an environment. See docs/api/deployments.md#5. */
@Injectable()
export class DeployRights {
  constructor(
    private readonly protectedEnvironments: ProtectedEnvironments,
    private readonly client: OperationClient,
  ) {}

  /** @throws environment.is_protected */
  async require(projectId: number, environment: string, deployer: Deployer): Promise<void> {
    if (!(await this.may(projectId, environment, deployer))) throw environmentErrors.isProtected();
  }

  async isProtected(projectId: number, environment: string): Promise<boolean> {
    return (await this.protectedEnvironments.find(projectId, environment)) !== null;
  }

  async may(projectId: number, environment: string, deployer: Deployer): Promise<boolean> {
    const found = await this.protectedEnvironments.find(projectId, environment);
    if (!found || deployer.isAdmin) return true;
    if (found.grants.some((grant) => isNamed(grant, deployer))) return true;
    for (const { groupId } of found.grants) {
      if (groupId !== undefined && (await this.isMember(groupId, deployer.id))) return true;
    }
    return false;
  }

  private async isMember(group_id: number, userId: number): Promise<boolean> {
    const levels = await this.client.call(memberLevels, { group_id, user_ids: [userId] }).catch((error: unknown) => {
      // Gone, and its grants are about to go.
      if (isError(error, groupErrors.notFound)) return [];
      throw error;
    });
    return levels.some(({ user_id, access_level }) => user_id === userId && access_level > 0);
  }
}

const isNamed = ({ accessLevel, userId }: DeployGrant, { id, accessLevel: level }: Deployer): boolean =>
  userId === id || (accessLevel !== undefined && accessLevel < administrators && level >= accessLevel);
