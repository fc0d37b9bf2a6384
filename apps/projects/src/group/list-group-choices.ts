import {
  Access,
  type AccessLevel,
  type ContextOf,
  listGroupTransferLocations,
  listInvitedGroups,
  listProjectGroups,
  listProjectTransferLocations,
  listShareLocations,
  type ParsedOf,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { isCurrent, type UserGrants } from '../access/grants';
import { projectKey } from '../member/source';
import { Shares } from '../share/share.repository';
import { GroupChoices } from './group-choices';

/** The groups around a project or group: where it is, what it is shared with, and where it could be moved. */
@Controller()
export class ListGroupChoices {
  constructor(
    private readonly choices: GroupChoices,
    private readonly shares: Shares,
  ) {}

  @Handles(listProjectGroups)
  async around({ project, caller }: ContextOf<typeof listProjectGroups>, input: ParsedOf<typeof listProjectGroups>) {
    const shared = input.with_shared ? await this.invited(project.id, input.shared_min_access_level) : [];
    const skipped = new Set(input.skip_groups);
    const wanted = [...project.groupIds, ...shared].filter((id) => !skipped.has(id));
    return this.choices.list(() => ({ _id: { $in: wanted } }), caller, input);
  }

  @Handles(listInvitedGroups)
  async invitedTo({ project, caller }: ContextOf<typeof listInvitedGroups>, input: ParsedOf<typeof listInvitedGroups>) {
    const shared = await this.invited(project.id);
    const least = (input.min_access_level ?? Access.None) as AccessLevel;
    return this.choices.list(() => ({ _id: { $in: shared } }), caller, input, least);
  }

  @Handles(listShareLocations)
  async shareable(
    { project, caller }: ContextOf<typeof listShareLocations>,
    input: ParsedOf<typeof listShareLocations>,
  ) {
    const taken = [...project.groupIds, ...(await this.invited(project.id))];
    return this.choices.list(() => ({ _id: { $nin: taken } }), caller, input);
  }

  @Handles(listProjectTransferLocations)
  async forProject(
    { project, caller }: ContextOf<typeof listProjectTransferLocations>,
    input: ParsedOf<typeof listProjectTransferLocations>,
  ) {
    const among = (grants: UserGrants) => ({
      $and: [{ _id: { $ne: project.namespaceId } }, levelFor(grants, 'project_creation_level', projectLevels)],
    });
    return this.choices.list(among, caller, input, Access.Developer);
  }

  @Handles(listGroupTransferLocations)
  async forGroup(
    { group, caller }: ContextOf<typeof listGroupTransferLocations>,
    input: ParsedOf<typeof listGroupTransferLocations>,
  ) {
    const elsewhere = { _id: { $nin: [group.id, group.parentId] }, ancestorIds: { $ne: group.id } };
    const among = (grants: UserGrants) => ({
      $and: [elsewhere, levelFor(grants, 'subgroup_creation_level', subgroupLevels)],
    });
    return this.choices.list(among, caller, input, Access.Maintainer);
  }

  /** Ids of the groups that a project is shared with. */
  private async invited(projectId: number, least = 0): Promise<number[]> {
    const shares = await this.shares.listOfSources([projectKey(projectId)]);
    return shares
      .filter(({ accessLevel, expiresAt }) => accessLevel >= least && isCurrent(expiresAt))
      .map(({ groupId }) => groupId);
  }
}

type Level = 'owner' | 'maintainer' | 'developer';
const levelOf = { owner: Access.Owner, maintainer: Access.Maintainer, developer: Access.Developer };
const projectLevels: Level[] = ['maintainer', 'developer'];
const subgroupLevels: Level[] = ['owner', 'maintainer'];

/** Groups whose setting names a level that the user has there; administrators may create everywhere. */
function levelFor(grants: UserGrants, setting: string, levels: Level[]) {
  if (grants.principal.isAdmin) return {};
  const parts = levels.map((level) => {
    const groups = grants.sources('group', levelOf[level]);
    const isThere = { $or: [{ _id: { $in: groups } }, { ancestorIds: { $in: groups } }] };
    return { $and: [{ [`settings.${setting}`]: level }, isThere] };
  });
  return { $or: parts };
}
