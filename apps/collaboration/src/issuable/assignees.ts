import { Access, invalidRecord, memberLevels, type ProjectRef } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { UserDirectory } from '@moothall/users';
import { Inject, Injectable } from '@nestjs/common';

/** Who can be given issues and merge requests of a project. */
@Injectable()
export class Assignees {
  private readonly severalAllowed: boolean;

  constructor(
    private readonly users: UserDirectory,
    private readonly client: OperationClient,
    @Inject(settingsToken) settings: ServiceSettings,
  ) {
    this.severalAllowed = settings.EDITION === 'enterprise';
  }

  /**
   * Ids as a client gives them, to those that are stored: 0 is nobody, and the community edition keeps the first.
   * @throws common.invalid_record for people who do not exist or cannot read the project
   */
  async choose(project: ProjectRef, given: number[]): Promise<number[]> {
    const wanted = [...new Set(given.filter((id) => id > 0))];
    const ids = this.severalAllowed ? wanted : wanted.slice(0, 1);
    if (ids.length === 0) return [];
    const known = await this.users.records(ids);
    const isKnown = ids.every((id) => known.has(id));
    if (!isKnown || !(await this.canAllRead(project, ids))) throw invalidRecord({ assignee_ids: ['is invalid'] });
    return ids;
  }

  private async canAllRead(project: ProjectRef, ids: number[]): Promise<boolean> {
    if (project.visibility !== 'private') return true;
    const members = await this.client.call(memberLevels, { project_id: project.id, user_ids: ids });
    const readers = new Set(
      members.filter(({ access_level }) => access_level >= Access.Guest).map(({ user_id }) => user_id),
    );
    return ids.every((id) => readers.has(id));
  }
}
