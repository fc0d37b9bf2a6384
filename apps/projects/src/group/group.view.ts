import { Access, type Caller, defaultGroupSettings, type Group, type GroupDetail } from '@moothall/contracts';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import { Grants, principalOf } from '../access/grants';
import { groupKey } from '../member/source';
import type { NamespaceDocument } from '../namespace/namespace.schema';
import { avatarUrlOf, webUrlOf } from '../namespace/namespace.view';
import { Projects, readableBy } from '../project/project.repository';
import type { ProjectDocument } from '../project/project.schema';
import { ProjectViews } from '../project/project.view';
import { Shares } from '../share/share.repository';
import { ShareViews } from '../share/share.view';

/** Limit of projects in the view of a group; lists show the rest. */
const shownProjects = 100;

/** Builds the API views of groups. */
@Injectable()
export class GroupViews {
  private readonly baseUrl: string;

  constructor(
    @Inject(settingsToken) settings: ServiceSettings,
    private readonly projects: Projects,
    private readonly projectViews: ProjectViews,
    private readonly shares: Shares,
    private readonly shareViews: ShareViews,
    private readonly grants: Grants,
  ) {
    this.baseUrl = settings.EXTERNAL_URL.replace(/\/$/, '');
  }

  plain(group: NamespaceDocument): Group {
    return {
      id: group._id,
      web_url: webUrlOf(group, this.baseUrl),
      name: group.name,
      path: group.path,
      description: group.description,
      visibility: group.visibility,
      ...defaultGroupSettings,
      ...group.settings,
      emails_enabled: !group.settings.emails_disabled,
      avatar_url: avatarUrlOf('group', group, this.baseUrl),
      full_name: group.fullName,
      full_path: group.fullPath,
      created_at: group.createdAt.toISOString(),
      updated_at: group.updatedAt.toISOString(),
      parent_id: group.parentId,
    };
  }

  async detail(group: NamespaceDocument, caller: Caller | undefined, withProjects: boolean): Promise<GroupDetail> {
    const key = groupKey(group._id);
    const [shares, grants] = await Promise.all([
      this.shareViews.viewSharesOf([key]),
      this.grants.findLevelsWithin(principalOf(caller), [key, ...group.ancestorIds.map(groupKey)]),
    ]);
    const isOwner = grants.levelInGroup(group) >= Access.Owner;
    return {
      ...this.plain(group),
      shared_with_groups: shares.get(key) ?? [],
      ...(isOwner && { runners_token: this.projectViews.runnersToken('group', group._id) }),
      ...(withProjects && (await this.projectsOf(group._id, caller))),
    };
  }

  private async projectsOf(groupId: number, caller: Caller | undefined) {
    const grants = await this.grants.findLevels(principalOf(caller));
    const shared = await this.shares.projectsSharedWith(groupId);
    const find = (filter: object) => this.projects.newest({ $and: [filter, readableBy(grants)] }, shownProjects);
    const view = (projects: ProjectDocument[]) =>
      caller ? this.projectViews.full(projects, caller, grants) : this.projectViews.simple(projects);
    return {
      projects: await view(await find({ namespaceId: groupId })),
      shared_projects: shared.length > 0 ? await view(await find({ _id: { $in: shared } })) : [],
    };
  }
}
