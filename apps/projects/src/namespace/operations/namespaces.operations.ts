import { randomInt } from 'node:crypto';
import {
  Access,
  type ContextOf,
  getNamespace,
  highestRole,
  listNamespaces,
  type NamespaceWithCount,
  namedNotFound,
  namespaceExists,
  type Page,
  type ParsedOf,
  soleOwnedGroups,
  usersWithProjects,
} from '@moothall/contracts';
import { findPage } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { Grants, principalOf, type UserGrants } from '../../access/grants';
import { groupsReadableBy } from '../../access/readable-groups';
import { Members } from '../../member/member.repository';
import { groupKey } from '../../member/source';
import type { ProjectDocument } from '../../project/project.schema';
import { escapeRegex } from '../../project/search-filter';
import { Namespaces } from '../namespace.repository';
import type { NamespaceDocument } from '../namespace.schema';
import { viewNamespace } from '../namespace.view';
import { Routes } from '../routes';

/** Number of candidates to check; if all are taken, a random suffix is free. */
const mostAsked = 100;

@Controller()
export class NamespacesOperations {
  private readonly baseUrl: string;

  constructor(
    @Inject(settingsToken) settings: ServiceSettings,
    private readonly namespaces: Namespaces,
    private readonly members: Members,
    private readonly routes: Routes,
    private readonly grants: Grants,
    @InjectModel('Project') private readonly projects: Model<ProjectDocument>,
  ) {
    this.baseUrl = settings.EXTERNAL_URL.replace(/\/$/, '');
  }

  @Handles(listNamespaces)
  async list(
    { caller }: ContextOf<typeof listNamespaces>,
    input: ParsedOf<typeof listNamespaces>,
  ): Promise<Page<NamespaceWithCount>> {
    const grants = await this.grants.findLevels(principalOf(caller));
    const mine = groupsReadableBy(grants, input.owned_only ? Access.Owner : Access.Guest);
    const users: QueryFilter<NamespaceDocument> =
      caller.isAdmin && !input.owned_only ? { kind: 'user' } : { ownerId: caller.id };
    const filter: QueryFilter<NamespaceDocument> = { $and: [{ $or: [mine, users] }, ...searching(input.search)] };
    const page = await findPage(this.namespaces.model, filter, { _id: 1 }, input);
    return { ...page, items: await Promise.all(page.items.map((namespace) => this.view(namespace, grants))) };
  }

  @Handles(getNamespace)
  async get({ caller }: ContextOf<typeof getNamespace>, input: ParsedOf<typeof getNamespace>) {
    const namespace = /^\d+$/.test(input.id)
      ? await this.namespaces.find(Number(input.id))
      : await this.namespaces.findByPath(input.id);
    const grants = await this.grants.findLevels(principalOf(caller));
    if (!namespace || !isVisible(namespace, grants)) throw namedNotFound('Namespace');
    return this.view(namespace, grants);
  }

  @Handles(namespaceExists)
  async exists(
    _: ContextOf<typeof namespaceExists>,
    { id: path, parent_id }: ParsedOf<typeof namespaceExists>,
  ): Promise<{ exists: boolean; suggests: string[] }> {
    const parent = parent_id === undefined ? null : await this.namespaces.find(parent_id);
    const isTaken = async (name: string) => !(await this.routes.isFree(parent ? `${parent.fullPath}/${name}` : name));
    if (!(await isTaken(path))) return { exists: false, suggests: [] };
    for (let number = 1; number <= mostAsked; number += 1) {
      if (!(await isTaken(`${path}${number}`))) return { exists: true, suggests: [`${path}${number}`] };
    }
    return { exists: true, suggests: [`${path}${randomInt(1e9, 1e10)}`] };
  }

  @Handles(soleOwnedGroups)
  async soleOwned(_: ContextOf<typeof soleOwnedGroups>, { user_id }: ParsedOf<typeof soleOwnedGroups>) {
    return (await this.members.soleOwnedGroups(user_id)).map((group) => group._id);
  }

  @Handles(highestRole)
  async highestRole(_: ContextOf<typeof highestRole>, { user_id }: ParsedOf<typeof highestRole>) {
    const [member, own] = await Promise.all([
      this.members.model.findOne({ userId: user_id }, { accessLevel: 1 }).sort({ accessLevel: -1 }),
      this.projects.exists({ ownerId: user_id }),
    ]);
    // As in the member list of personal projects.
    return { access_level: Math.max(member?.accessLevel ?? Access.None, own ? Access.Maintainer : Access.None) };
  }

  @Handles(usersWithProjects)
  async usersWithProjects(_: ContextOf<typeof usersWithProjects>, input: ParsedOf<typeof usersWithProjects>) {
    const users = { $in: input.user_ids };
    const [members, owners] = await Promise.all([
      this.members.model.distinct('userId', { userId: users }),
      this.projects.distinct('ownerId', { ownerId: users }),
    ]);
    return [...new Set([...members, ...owners].filter((id) => id !== undefined && id !== null))];
  }

  private async view(namespace: NamespaceDocument, grants: UserGrants): Promise<NamespaceWithCount> {
    const view = viewNamespace(namespace, this.baseUrl);
    if (namespace.kind === 'user' || grants.levelInGroup(namespace) < Access.Owner) return view;
    const groups = await this.namespaces.listWithDescendants(namespace._id);
    const users = await this.members.model.distinct('userId', { source: { $in: groups.map(groupKey) } });
    return { ...view, members_count_with_descendants: users.length };
  }
}

function searching(search: string | undefined): QueryFilter<NamespaceDocument>[] {
  if (!search) return [];
  const matches = { $regex: escapeRegex(search), $options: 'i' };
  return [{ $or: [{ name: matches }, { path: matches }] }];
}

/** Members see groups, users see their own namespace, administrators see all. */
function isVisible(namespace: NamespaceDocument, grants: UserGrants): boolean {
  const { userId, isAdmin } = grants.principal;
  if (namespace.kind === 'user') return isAdmin || namespace.ownerId === userId;
  return grants.levelInGroup(namespace) > Access.None;
}
