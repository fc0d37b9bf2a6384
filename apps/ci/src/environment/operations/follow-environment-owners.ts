import { type EventData, type EventRecord, groupDeleted, projectDeleted, userDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Deployments } from '../deployment.repository';
import { Environments } from '../environment.repository';
import { GroupProtectedEnvironments, ProtectedEnvironments } from '../protected-environments';

/** Deletes environments with their project, and deploy rights with their user or group. */
@Injectable()
export class FollowEnvironmentOwners {
  constructor(
    private readonly environments: Environments,
    private readonly deployments: Deployments,
    private readonly protectedEnvironments: ProtectedEnvironments,
    private readonly ofGroups: GroupProtectedEnvironments,
  ) {}

  @OnEvent(projectDeleted, 'FollowEnvironmentOwners-onProjectDeleted')
  async onProjectDeleted({ data }: EventRecord<EventData<typeof projectDeleted>>): Promise<void> {
    await this.deployments.removeOfProject(data.project_id);
    await this.environments.removeOfProject(data.project_id);
    await this.protectedEnvironments.removeOf(data.project_id);
  }

  @OnEvent(userDeleted, 'FollowEnvironmentOwners-onUserDeleted')
  async onUserDeleted({ data }: EventRecord<EventData<typeof userDeleted>>): Promise<void> {
    await this.deployments.reassign(data.user_id, data.ghost_user_id);
    await this.protectedEnvironments.forgetUser(data.user_id);
    await this.ofGroups.forgetUser(data.user_id);
  }

  @OnEvent(groupDeleted, 'FollowEnvironmentOwners-onGroupDeleted')
  async onGroupDeleted({ data }: EventRecord<EventData<typeof groupDeleted>>): Promise<void> {
    await this.protectedEnvironments.forgetGroup(data.group_id);
    await this.ofGroups.forgetGroup(data.group_id);
    await this.ofGroups.removeOf(data.group_id);
  }
}
