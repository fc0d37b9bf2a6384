import { addProjectMember, type Caller, type ProjectRef } from '@moothall/contracts';
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

/** The user that holds a project access token: a member of the project that nobody can sign in as. */
@Injectable()
export class ProjectBots {
  constructor(
    private readonly users: Users,
    private readonly usernames: Usernames,
    private readonly ghost: GhostUser,
    private readonly operations: OperationClient,
    @Inject(settingsToken) private readonly settings: IdentitySettings,
  ) {}

  /** @throws what projects answers when the caller may not grant that level; there is no bot then */
  async make(name: string, accessLevel: number, caller: Caller, project: ProjectRef): Promise<User> {
    const bot = await this.add(name, project.id);
    try {
      const member = { id: String(project.id), user_id: [bot._id], access_level: accessLevel };
      await this.operations.call(addProjectMember, member, { caller, project });
    } catch (error) {
      await this.remove(bot._id);
      throw error;
    }
    return bot;
  }

  /** What the bot did stays, under the ghost's name. */
  async remove(userId: number): Promise<void> {
    const bot = await this.users.find(userId);
    if (bot?.kind === 'project_bot') {
      await this.users.remove(bot, { hardDelete: false, ghostId: await this.ghost.id() });
    }
  }

  private async add(name: string, projectId: number): Promise<User> {
    const host = new URL(this.settings.EXTERNAL_URL).hostname;
    for (let attempt = 0; ; attempt++) {
      const _id = await this.users.nextId();
      // The number makes a name that no bot of the project had before.
      const username = `project_${projectId}_bot${_id}`;
      try {
        const bot = newUser({
          _id,
          username,
          name,
          email: `${username}@noreply.${host}`,
          kind: 'project_bot',
          canCreateGroup: false,
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
