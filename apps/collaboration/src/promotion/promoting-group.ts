import {
  type AccessLevel,
  type Caller,
  callerInput,
  forbidden,
  type GroupRef,
  type ProjectRef,
  readableProjects,
  resolveGroup,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { groupOwner, type OwnerKey, projectOwner } from '../parent/owner';

/** The group to which a project's record is promoted. */
export interface PromotingGroup {
  owner: OwnerKey;
  group: GroupRef;
  /** Owners of the records that are replaced: all projects below the group. */
  projects: OwnerKey[];
}

/** Finds the group to which labels and milestones of a project are promoted. */
@Injectable()
export class PromotingGroups {
  constructor(private readonly client: OperationClient) {}

  /** @throws noGroup() for a project outside of groups; common.forbidden for callers below that level in the group */
  async find(
    { groupIds: [id] }: ProjectRef,
    caller: Caller,
    { level, noGroup }: { level: AccessLevel; noGroup: () => Error },
  ): Promise<PromotingGroup> {
    if (id === undefined) throw noGroup();
    const { group } = await this.client.call(resolveGroup, { group: String(id), ...callerInput(caller) });
    if (group.accessLevel < level) throw forbidden();
    const below = await this.client.call(readableProjects, { user_id: null, is_admin: true, group_id: id });
    return { owner: groupOwner(id), group, projects: below.map((project) => projectOwner(project.id)) };
  }
}
