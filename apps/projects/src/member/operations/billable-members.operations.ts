import {
  type BillableMember,
  type BillableMembership,
  billableMemberErrors,
  type ContextOf,
  commonErrors,
  type GroupRef,
  listBillableMembers,
  listBillableMemberships,
  listIndirectMemberships,
  type Page,
  type ParsedOf,
  pageOf,
  removeBillableMember,
  userActivities,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { UserDirectory } from '@moothall/users';
import { Controller, Inject } from '@nestjs/common';
import { Namespaces } from '../../namespace/namespace.repository';
import { Projects } from '../../project/project.repository';
import { levelNames } from '../level-rules';
import { Members } from '../member.repository';
import type { MemberDocument } from '../member.schema';
import { groupKey, keyParts } from '../source';
import { type Activity, inOrder, isRemovable, type Person, type UserMembership } from './billable-rules';
import { CountedMembers } from './counted-members';
import { isNamed } from './is-named';

const idsPerCall = 1000;

/** Billable members of a group. See docs/api/members.md#7. */
@Controller()
export class BillableMembers {
  constructor(
    private readonly counted: CountedMembers,
    private readonly members: Members,
    private readonly namespaces: Namespaces,
    private readonly projects: Projects,
    private readonly users: UserDirectory,
    private readonly client: OperationClient,
    @Inject(settingsToken) private readonly settings: ServiceSettings,
  ) {}

  @Handles(listBillableMembers)
  async list(
    { group }: ContextOf<typeof listBillableMembers>,
    { search, sort, ...window }: ParsedOf<typeof listBillableMembers>,
  ): Promise<Page<BillableMember>> {
    requireTop(group);
    const memberships = await this.counted.find(group.id);
    const people = (await this.people(memberships)).filter(({ user }) => !search || isNamed(user, search.trim()));
    const { items, ...rest } = pageOf(inOrder(people, sort), window);
    const { ownerIds } = await this.namespaces.getGroup(group.id);
    return {
      ...rest,
      items: items.map(({ user, activity, membership }) => ({
        ...{ id: user.id, username: user.username, name: user.name, state: user.state },
        ...{ avatar_url: user.avatar_url, web_url: user.web_url, created_at: user.created_at },
        last_activity_on: activity.last_activity_on,
        last_login_at: activity.last_sign_in_at,
        membership_type: membership.type,
        removable: isRemovable(membership),
        is_last_owner: ownerIds.length === 1 && ownerIds[0] === user.id,
      })),
    };
  }

  @Handles(listBillableMemberships)
  async memberships(
    { group }: ContextOf<typeof listBillableMemberships>,
    { user_id, ...window }: ParsedOf<typeof listBillableMemberships>,
  ): Promise<Page<BillableMembership>> {
    requireTop(group);
    return this.view(await this.counted.direct(group.id, user_id), window);
  }

  @Handles(listIndirectMemberships)
  async indirect(
    { group }: ContextOf<typeof listIndirectMemberships>,
    { user_id, ...window }: ParsedOf<typeof listIndirectMemberships>,
  ): Promise<Page<BillableMembership>> {
    requireTop(group);
    return this.view(await this.counted.invited(group.id, user_id), window);
  }

  @Handles(removeBillableMember)
  async remove(
    { group }: ContextOf<typeof removeBillableMember>,
    { user_id }: ParsedOf<typeof removeBillableMember>,
  ): Promise<void> {
    requireTop(group);
    const rows = await this.counted.direct(group.id, user_id);
    if (rows.length === 0) {
      const isInvited = (await this.counted.invited(group.id, user_id)).length > 0;
      throw isInvited ? billableMemberErrors.invited() : commonErrors.notFound();
    }
    // The membership in the group first: if it is the last owner's, nothing is removed.
    const own = groupKey(group.id);
    const first = rows.filter(({ source }) => source === own);
    for (const member of [...first, ...rows.filter(({ source }) => source !== own)]) await this.members.remove(member);
  }

  /** Active users with their records from identity. */
  private async people(memberships: Map<number, UserMembership>): Promise<Person[]> {
    const ids = [...memberships.keys()];
    const users = await this.users.records(ids);
    const activities = new Map<number, Activity>();
    for (let at = 0; at < ids.length; at += idsPerCall) {
      const some = await this.client.call(userActivities, { ids: ids.slice(at, at + idsPerCall) });
      for (const one of some) activities.set(one.id, one);
    }
    return [...memberships].flatMap(([id, membership]) => {
      const [user, activity] = [users.get(id), activities.get(id)];
      return user?.state === 'active' && activity && !activity.is_bot ? [{ user, activity, membership }] : [];
    });
  }

  private async view(rows: MemberDocument[], window: { page: number; per_page: number }) {
    if (rows.length === 0) throw commonErrors.notFound();
    const { items, ...rest } = pageOf(rows, window);
    const places = items.map(({ source }) => keyParts(source));
    const idsOf = (wanted: 'project' | 'group') => places.flatMap(({ kind, id }) => (kind === wanted ? id : []));
    const [projects, groups] = await Promise.all([
      this.projects.findByIds(idsOf('project')),
      this.namespaces.findByIds(idsOf('group')),
    ]);
    const projectsById = new Map(projects.map((project) => [project._id, project]));
    const views = items.flatMap((row, index): BillableMembership[] => {
      const { kind, id } = places[index] ?? keyParts(row.source);
      const place =
        kind === 'project'
          ? {
              name: projectsById.get(id)?.nameWithNamespace,
              path: `${projectsById.get(id)?.fullPath}/-/project_members`,
            }
          : { name: groups.get(id)?.fullName, path: `groups/${groups.get(id)?.fullPath}/-/group_members` };
      if (place.name === undefined) return [];
      return [
        {
          id: row._id,
          source_id: id,
          source_full_name: place.name,
          source_members_url: `${this.settings.EXTERNAL_URL}/${place.path}`,
          created_at: row.createdAt.toISOString(),
          expires_at: row.expiresAt,
          access_level: { string_value: levelNames[row.accessLevel] ?? '', integer_value: row.accessLevel },
        },
      ];
    });
    return { ...rest, items: views };
  }
}

/** @throws billable_member.not_at_top */
function requireTop({ parentId }: GroupRef): void {
  if (parentId !== null) throw billableMemberErrors.notAtTop();
}
