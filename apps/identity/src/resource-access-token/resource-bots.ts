import { addGroupMember, addProjectMember, type Caller, type GroupRef, type ProjectRef } from '@moothall/contracts';
import { isDuplicateKey } from '@moothall/database';
import { OperationClient } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import type { IdentitySettings } from '../settings/settings';
import { GhostUser } from '../user/ghost-user';
import { newUser } from '../user/new-user';
import { Users } from '../user/user.repository';
import type { User } from '../user/user.schema';
import { Usernames, UsernameTaken } from '../user/usernames';

const mostBotsTried = 10;

/** The project or group of a token. */
export type Resource =
  | { kind: 'project'; id: number; project: ProjectRef }
  | { kind: 'group'; id: number; group: GroupRef };

/** The bot users of project and group access tokens: members that nobody can sign in as. */
@Injectable()
export class ResourceBots {
  constructor(
    private readonly users: Users,
    private readonly usernames: Usernames,
    private readonly ghost: GhostUser,
    private readonly operations: OperationClient,
    @Inject(settingsToken) private readonly settings: IdentitySettings,
  ) {}

  /** @throws errors of the projects service if the caller may not grant that level; then no bot is created */
  async make(name: string, accessLevel: number, caller: Caller, resource: Resource): Promise<User> {
    const bot = await this.add(name, caller, resource);
    try {
      await this.join(bot._id, accessLevel, caller, resource);
    } catch (error) {
      await this.remove(bot._id);
      throw error;
    }
    return bot;
  }

  /** The bot's records are assigned to the ghost user. */
  async remove(userId: number): Promise<void> {
    const bot = await this.users.find(userId);
    if (bot?.kind === 'project_bot') {
      await this.users.remove(bot, { hardDelete: false, ghostId: await this.ghost.id() });
    }
  }

  private async join(botId: number, access_level: number, caller: Caller, resource: Resource): Promise<void> {
    const member = { id: String(resource.id), user_id: [botId], access_level };
    if (resource.kind === 'project')
      await this.operations.call(addProjectMember, member, { caller, project: resource.project });
    else await this.operations.call(addGroupMember, member, { caller, group: resource.group });
  }

  private async add(name: string, caller: Caller, { kind, id }: Resource): Promise<User> {
    const host = new URL(this.settings.EXTERNAL_URL).hostname;
    for (let attempt = 0; ; attempt++) {
      const _id = await this.users.nextId();
      // With its id, so that no earlier bot of the resource had the name.
      const username = `${kind}_${id}_bot${_id}`;
      try {
        const bot = newUser({
          _id,
          username,
          name,
          email: `${username}@noreply.${host}`,
          kind: 'project_bot',
          canCreateGroup: false,
          // The bot of an external user is external, too.
          isExternal: caller.isExternal,
          confirmedAt: new Date(),
        });
        return await this.usernames.whileClaimed({ id: _id, username }, () => this.users.add(bot));
      } catch (error) {
        const isTaken = error instanceof UsernameTaken || isDuplicateKey(error);
        if (!isTaken || attempt === mostBotsTried) throw error;
      }
    }
  }
}
