import type { EventData } from '@moothall/contracts';
import { type EventRecord, groupDeleted, projectDeleted, userDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Applications } from '../application/application.repository';
import { Avatars } from '../avatar/avatar';
import { DeployKeys } from '../deploy-key/deploy-key.repository';
import { DeployTokens } from '../deploy-token/deploy-token.repository';
import { Follows } from '../follow/follow.repository';
import { GpgKeys } from '../gpg-key/gpg-key.repository';
import { OauthTokens } from '../oauth/oauth-token.repository';
import { AccessTokens } from '../personal-access-token/token.repository';
import { ResourceBots } from '../resource-access-token/resource-bots';
import { ServiceAccounts } from '../service-account/service-accounts';
import { Sessions } from '../session/session.repository';
import { SshKeys } from '../ssh-key/ssh-key.repository';

/** Removes records of deleted users, projects and groups. They give no access in the meantime. */
@Injectable()
export class AfterDeletions {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly oauthTokens: OauthTokens,
    private readonly applications: Applications,
    private readonly sessions: Sessions,
    private readonly avatars: Avatars,
    private readonly keys: SshKeys,
    private readonly gpgKeys: GpgKeys,
    private readonly follows: Follows,
    private readonly deployKeys: DeployKeys,
    private readonly deployTokens: DeployTokens,
    private readonly bots: ResourceBots,
    private readonly serviceAccounts: ServiceAccounts,
  ) {}

  @OnEvent(userDeleted, 'AfterDeletions-ofUser')
  async forgetUser({ data }: EventRecord<EventData<typeof userDeleted>>): Promise<void> {
    await this.tokens.removeOfUser(data.user_id);
    await this.oauthTokens.removeOfUser(data.user_id);
    await this.keys.removeOfUser(data.user_id);
    await this.gpgKeys.removeOfUser(data.user_id);
    await this.follows.forget(data.user_id);
    await this.sessions.endOfUser(data.user_id);
    await this.avatars.remove(data.user_id);
    for (const application of await this.applications.listOfOwner(data.user_id)) {
      await this.oauthTokens.revokeOfApplication(application._id);
      await this.applications.remove(application._id, data.user_id);
    }
  }

  @OnEvent(projectDeleted, 'AfterDeletions-ofProject')
  async forgetProject({ data }: EventRecord<EventData<typeof projectDeleted>>): Promise<void> {
    await this.deployKeys.disableAllOf(data.project_id);
    await this.deployTokens.removeOf({ kind: 'project', id: data.project_id });
    for (const userId of await this.tokens.botsOf({ projectId: data.project_id })) await this.bots.remove(userId);
  }

  @OnEvent(groupDeleted, 'AfterDeletions-ofGroup')
  async forgetGroup({ data }: EventRecord<EventData<typeof groupDeleted>>): Promise<void> {
    await this.deployTokens.removeOf({ kind: 'group', id: data.group_id });
    for (const userId of await this.tokens.botsOf({ groupId: data.group_id })) await this.bots.remove(userId);
    await this.serviceAccounts.removeOfGroup(data.group_id);
  }
}
