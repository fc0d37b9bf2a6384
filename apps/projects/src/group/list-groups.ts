import {
  Access,
  type AccessLevel,
  type Caller,
  type ContextOf,
  type Group,
  listDescendantGroups,
  listGroups,
  listSubgroups,
  type Page,
  type ParsedOf,
} from '@moothall/contracts';
import { findInTurn, findPage } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, SortOrder } from 'mongoose';
import { Grants, principalOf, type UserGrants } from '../access/grants';
import { groupsReadableBy } from '../access/readable-groups';
import { showAttributes, withAttributes } from '../custom-attribute/custom-attributes';
import { Namespaces } from '../namespace/namespace.repository';
import type { NamespaceDocument } from '../namespace/namespace.schema';
import type { ProjectDocument } from '../project/project.schema';
import { escapeRegex } from '../project/search-filter';
import { GroupViews } from './group.view';

type Input = ParsedOf<typeof listSubgroups>;
type Filters = Omit<Input, 'id'>;

const sortFields = { name: 'name', path: 'path', id: '_id' } as const;

/** Lists of groups: all that the caller may see, or those below a group. */
@Controller()
export class ListGroups {
  constructor(
    private readonly namespaces: Namespaces,
    @InjectModel('Project') private readonly projects: Model<ProjectDocument>,
    private readonly grants: Grants,
    private readonly views: GroupViews,
  ) {}

  @Handles(listGroups)
  async listAll({ caller }: ContextOf<typeof listGroups>, input: ParsedOf<typeof listGroups>): Promise<Page<Group>> {
    return this.list(input.top_level_only ? { parentId: null } : {}, caller, input);
  }

  @Handles(listSubgroups)
  async children({ caller, group }: ContextOf<typeof listSubgroups>, input: Input): Promise<Page<Group>> {
    return this.list({ parentId: group.id }, caller, input);
  }

  @Handles(listDescendantGroups)
  async descendants({ caller, group }: ContextOf<typeof listDescendantGroups>, input: Input): Promise<Page<Group>> {
    return this.list({ ancestorIds: group.id }, caller, input);
  }

  private async list(base: QueryFilter<NamespaceDocument>, caller: Caller | undefined, input: Filters) {
    const own = await this.grants.findOwnLevels(principalOf(caller));
    const isMemberOnly = input.all_available === false && caller !== undefined && !caller.isAdmin;
    const wanted = Math.max(
      input.owned ? Access.Owner : 0,
      input.min_access_level ?? 0,
      isMemberOnly ? Access.Guest : 0,
    );
    const least = (caller ? wanted : Access.None) as AccessLevel;
    const [grants, aroundOwn] = await Promise.all([
      this.grants.addShares(own),
      least === Access.None ? this.around(own) : [],
    ]);
    const around = least === Access.None ? [...aroundOwn, ...(await this.around(grants, own))] : [];
    const filter: QueryFilter<NamespaceDocument> = {
      $and: [base, groupsReadableBy(grants, least, around), ...narrowing(input, caller)],
    };
    const direction: SortOrder = input.sort === 'asc' ? 1 : -1;
    const field = sortFields[input.order_by];
    const sort = field === '_id' ? { _id: direction } : { [field]: direction, _id: direction };
    const page = await findPage(this.namespaces.model, filter, sort, input);
    const isShown = input.with_custom_attributes && caller?.isAdmin === true;
    const views = page.items.map((group) => this.views.plain(group));
    return { ...page, items: showAttributes(views, page.items, isShown) };
  }

  /** Groups above the user's groups and projects, whose paths the user knows anyway; not those above `known` ones. */
  private async around(grants: UserGrants, known?: UserGrants): Promise<number[]> {
    if (grants.principal.userId === null || grants.principal.isAdmin) return [];
    const idsOf = (kind: 'project' | 'group') => {
      const others = new Set(known?.sources(kind));
      return grants.sources(kind).filter((id) => !others.has(id));
    };
    const [groups, projects] = await Promise.all([
      findById(this.namespaces.model, idsOf('group'), { ancestorIds: 1 }),
      findById(this.projects, idsOf('project'), { groupIds: 1 }),
    ]);
    return [
      ...new Set([...groups.flatMap((group) => group.ancestorIds), ...projects.flatMap((each) => each.groupIds)]),
    ];
  }
}

async function findById<T>(model: Model<T>, ids: number[], projection: Record<string, 1>): Promise<T[]> {
  if (ids.length === 0) return [];
  return findInTurn(model, () => [{ filter: { _id: { $in: ids } }, projection }]);
}

function narrowing(input: Filters, caller: Caller | undefined): QueryFilter<NamespaceDocument>[] {
  const parts: QueryFilter<NamespaceDocument>[] = caller?.isAdmin ? withAttributes(input.custom_attributes) : [];
  if (input.skip_groups) parts.push({ _id: { $nin: input.skip_groups } });
  if (input.visibility) parts.push({ visibility: input.visibility });
  if (input.search) {
    const matches = { $regex: escapeRegex(input.search), $options: 'i' };
    parts.push({ $or: [{ name: matches }, { path: matches }] });
  }
  return parts;
}
