import { Access, invalidRecord, memberLevels, type ProjectRef } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { UserDirectory, type UserRecord } from '@moothall/users';
import { Inject, Injectable } from '@nestjs/common';
import { mostPeople } from '../user/most-people';

/** Who can be assigned to issues and merge requests of a project. */
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
   * Validates the user ids of a request: 0 means nobody, and the community edition stores only the first.
   * @throws common.invalid_record for users who do not exist or cannot read the project
   */
  async choose(project: ProjectRef, given: number[]): Promise<number[]> {
    const wanted = [...new Set(given.filter((id) => id > 0))];
    const ids = this.severalAllowed ? wanted : wanted.slice(0, 1);
    if (ids.length === 0) return [];
    if ((await this.filterAllowed(project, ids)).length < ids.length)
      throw invalidRecord({ assignee_ids: ['is invalid'] });
    return ids;
  }

  /** Those who exist and can read the project. */
  async filterAllowed({ id: project_id, visibility }: ProjectRef, ids: number[]): Promise<number[]> {
    const known = await this.users.records(ids);
    const readsOnlyAsMember = ({ is_admin, is_external }: UserRecord): boolean =>
      !is_admin && (visibility === 'private' || (visibility === 'internal' && is_external));
    const asMember = [...known.values()].filter(readsOnlyAsMember).map(({ id }) => id);
    const members = asMember.length > 0 ? await this.client.call(memberLevels, { project_id, user_ids: asMember }) : [];
    const readers = new Set(members.flatMap((one) => (one.access_level >= Access.Guest ? one.user_id : [])));
    return ids.filter((id) => known.has(id) && (!asMember.includes(id) || readers.has(id)));
  }

  /**
   * The assignees after adding some; the community edition stores only the latest.
   * @throws common.invalid_record for too many
   */
  combine(before: number[], added: number[]): number[] {
    if (!this.severalAllowed) return added.slice(0, 1);
    const all = [...new Set([...before, ...added])];
    if (all.length > mostPeople) throw invalidRecord({ assignees: [`are too many (maximum is ${mostPeople})`] });
    return all;
  }
}
