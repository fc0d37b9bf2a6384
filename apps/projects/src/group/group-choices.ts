import { Access, type AccessLevel, type Caller, type GroupChoice, type Page } from '@moothall/contracts';
import { findPage } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import type { QueryFilter } from 'mongoose';
import { Grants, principalOf, type UserGrants } from '../access/grants';
import { groupsReadableBy } from '../access/readable-groups';
import { Namespaces } from '../namespace/namespace.repository';
import type { NamespaceDocument } from '../namespace/namespace.schema';
import { escapeRegex } from '../project/search-filter';
import { GroupViews } from './group.view';

interface Choice {
  search?: string | undefined;
  page: number;
  per_page: number;
}

/** Lists of groups to choose from: groups that the caller may see or has a level in. */
@Injectable()
export class GroupChoices {
  constructor(
    private readonly namespaces: Namespaces,
    private readonly grants: Grants,
    private readonly views: GroupViews,
  ) {}

  async list(
    among: (grants: UserGrants) => QueryFilter<NamespaceDocument>,
    caller: Caller | undefined,
    input: Choice,
    least: AccessLevel = Access.None,
  ): Promise<Page<GroupChoice>> {
    const grants = await this.grants.findLevels(principalOf(caller));
    const filter: QueryFilter<NamespaceDocument> = {
      $and: [among(grants), groupsReadableBy(grants, least), ...searching(input.search)],
    };
    const page = await findPage(this.namespaces.model, filter, { fullPath: 1 }, input);
    return { ...page, items: page.items.map((group) => this.choice(group)) };
  }

  private choice(group: NamespaceDocument): GroupChoice {
    const { id, web_url, name, avatar_url, full_name, full_path } = this.views.plain(group);
    return { id, web_url, name, avatar_url, full_name, full_path };
  }
}

function searching(search: string | undefined): QueryFilter<NamespaceDocument>[] {
  if (!search) return [];
  const matches = { $regex: escapeRegex(search), $options: 'i' };
  return [{ $or: [{ name: matches }, { fullPath: matches }] }];
}
