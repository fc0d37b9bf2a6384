import {
  Access,
  type AccessLevel,
  type Caller,
  type listGroupProjects,
  type listProjects,
  type OperationContext,
  type Page,
  type ParsedOf,
  type Project,
  projectErrors,
} from '@moothall/contracts';
import { findPage } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import type { QueryFilter, SortOrder } from 'mongoose';
import { Grants, principalOf, type UserGrants } from '../access/grants';
import { showAttributes, withAttributes } from '../custom-attribute/custom-attributes';
import { Stars } from '../star/star.repository';
import { memberOf, Projects, readableBy } from './project.repository';
import type { ProjectDocument } from './project.schema';
import { ProjectViews } from './project.view';
import { ProjectStatisticsReader } from './project-statistics';
import { searchFilter } from './search-filter';

type Filters = Omit<ParsedOf<typeof listGroupProjects>, 'id' | 'include_subgroups' | 'with_shared'>;
type KeysetInput = ParsedOf<typeof listProjects>;

const sortFields = {
  id: '_id',
  name: 'name',
  path: 'path',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  last_activity_at: 'lastActivityAt',
} as const;

/** Filters, sorts, pages and shows projects that the caller may read. */
@Injectable()
export class ProjectLists {
  constructor(
    private readonly projects: Projects,
    private readonly stars: Stars,
    private readonly grants: Grants,
    private readonly views: ProjectViews,
    private readonly statistics: ProjectStatisticsReader,
  ) {}

  async list(
    base: QueryFilter<ProjectDocument>,
    { caller, requestId }: Pick<OperationContext, 'caller' | 'requestId'>,
    input: Filters & Partial<KeysetInput>,
  ): Promise<Page<Project>> {
    const grants = await this.grants.findLevels(principalOf(caller));
    const filter = {
      $and: [base, readableBy(grants), ...this.narrowing(input, grants), ...(await this.starred(input, caller))],
    };
    const page = await this.page(filter, input);
    if (input.simple || !caller) return { ...page, items: await this.views.simple(page.items) };
    const isShown = input.with_custom_attributes && caller.isAdmin;
    const items = showAttributes(await this.views.full(page.items, caller, grants), page.items, isShown);
    if (!input.statistics) return { ...page, items };
    return { ...page, items: await this.statistics.addTo(items, page.items, caller, requestId) };
  }

  private async page(filter: QueryFilter<ProjectDocument>, input: Filters & Partial<KeysetInput>) {
    const cut = {
      _id: { ...(input.id_after && { $gt: input.id_after }), ...(input.id_before && { $lt: input.id_before }) },
    };
    const within = Object.keys(cut._id).length > 0 ? { $and: [filter, cut] } : filter;
    if (input.pagination === 'keyset') return this.keysetPage(within, input);
    const direction: SortOrder = input.sort === 'asc' ? 1 : -1;
    const field = sortFields[input.order_by];
    const sort = field === '_id' ? { _id: direction } : { [field]: direction, _id: direction };
    return findPage(this.projects.model, within, sort, input);
  }

  /** One more row than requested shows whether there is a next page. */
  private async keysetPage(filter: QueryFilter<ProjectDocument>, input: Filters): Promise<Page<ProjectDocument>> {
    if (input.order_by !== 'id') throw projectErrors.keysetUnsupported();
    const limit = Math.min(input.per_page, 100);
    const rows = await this.projects.model
      .find(filter)
      .sort({ _id: input.sort === 'asc' ? 1 : -1 })
      .limit(limit + 1)
      .lean<ProjectDocument[]>();
    const items = rows.slice(0, limit);
    const last = items.at(-1)?._id;
    if (rows.length <= limit || last === undefined) return { items, isKeyset: true };
    return { items, isKeyset: true, next: { [input.sort === 'asc' ? 'id_after' : 'id_before']: last } };
  }

  private narrowing(input: Filters, grants: UserGrants): QueryFilter<ProjectDocument>[] {
    const parts: QueryFilter<ProjectDocument>[] = [];
    const isSignedIn = grants.principal.userId !== null;
    if (input.archived !== undefined) parts.push({ isArchived: input.archived });
    if (input.visibility) parts.push({ visibility: input.visibility });
    if (input.search) parts.push(searchFilter(input.search, input.search_namespaces));
    if (input.owned && isSignedIn) parts.push(ownedBy(grants));
    if (input.membership && isSignedIn) parts.push({ $or: memberOf(grants, Access.Guest) });
    if (input.min_access_level && isSignedIn) {
      parts.push({ $or: memberOf(grants, input.min_access_level as AccessLevel) });
    }
    if (input.topic) parts.push({ topics: { $all: input.topic } });
    if (input.with_issues_enabled) parts.push({ 'features.issues': { $ne: 'disabled' } });
    if (input.with_merge_requests_enabled) parts.push({ 'features.merge_requests': { $ne: 'disabled' } });
    if (input.last_activity_after) parts.push({ lastActivityAt: { $gte: new Date(input.last_activity_after) } });
    if (input.last_activity_before) parts.push({ lastActivityAt: { $lte: new Date(input.last_activity_before) } });
    if (grants.principal.isAdmin) parts.push(...withAttributes(input.custom_attributes));
    if (input.repository_storage && grants.principal.isAdmin) parts.push({ storage: input.repository_storage });
    return parts;
  }

  private async starred(input: Filters, caller: Caller | undefined): Promise<QueryFilter<ProjectDocument>[]> {
    if (!input.starred || !caller) return [];
    return [{ _id: { $in: await this.stars.projectsOf(caller.id) } }];
  }
}

/** Projects in their own namespace, and in groups that they own; for administrators no others. */
function ownedBy(grants: UserGrants): QueryFilter<ProjectDocument> {
  return { $or: memberOf(grants, Access.Owner) };
}
