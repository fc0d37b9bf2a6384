import {
  type Caller,
  callerInput,
  invalidRecord,
  isReadable,
  memberLevels,
  type ProjectRef,
  userIdsByUsername,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { ParentDirectory } from '../../parent/parent-directory';

interface Named {
  user_ids?: number[] | undefined;
  usernames?: string[] | undefined;
  group_ids?: number[] | undefined;
}

/** Resolves users and groups of a request to those that a rule can have. */
@Injectable()
export class NamedApprovers {
  constructor(
    private readonly client: OperationClient,
    private readonly parents: ParentDirectory,
  ) {}

  /** Absent fields are left out. @throws common.invalid_record for groups that the caller may not see */
  async find(
    project: ProjectRef,
    caller: Caller,
    { user_ids, usernames, group_ids }: Named,
  ): Promise<{ userIds?: number[]; groupIds?: number[] }> {
    return {
      ...((user_ids || usernames) && { userIds: await this.findUsers(project, user_ids ?? [], usernames ?? []) }),
      ...(group_ids && { groupIds: await this.findGroups(caller, [...new Set(group_ids)]) }),
    };
  }

  /** Those who are members. */
  private async findUsers({ id: project_id }: ProjectRef, ids: number[], usernames: string[]): Promise<number[]> {
    const byName = usernames.length > 0 ? await this.client.call(userIdsByUsername, { usernames }) : [];
    const user_ids = [...new Set([...ids, ...byName.map(({ id }) => id)])];
    if (user_ids.length === 0) return [];
    const levels = await this.client.call(memberLevels, { project_id, user_ids });
    const members = new Set(levels.map(({ user_id }) => user_id));
    return user_ids.filter((id) => members.has(id));
  }

  private async findGroups(caller: Caller, ids: number[]): Promise<number[]> {
    if (ids.length === 0) return [];
    const groups = await this.parents.readGroups(ids, callerInput(caller));
    const visible = groups.filter((group) => isReadable(group, caller));
    if (visible.length < ids.length) throw invalidRecord({ groups: ['is invalid'] });
    return ids;
  }
}
