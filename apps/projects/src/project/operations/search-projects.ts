import { type ContextOf, type ParsedOf, searchGroupProjects, searchProjects } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { ProjectLists } from '../project-lists';

type Input = ParsedOf<typeof searchProjects>;

/** Searches projects that lists would show. See docs/api/search.md#3. */
@Controller()
export class SearchProjects {
  constructor(private readonly lists: ProjectLists) {}

  @Handles(searchProjects)
  async everywhere(context: ContextOf<typeof searchProjects>, input: Input) {
    return this.lists.list({}, context, filtersOf(input));
  }

  @Handles(searchGroupProjects)
  async inGroup(context: ContextOf<typeof searchGroupProjects>, input: ParsedOf<typeof searchGroupProjects>) {
    return this.lists.list({ groupIds: context.group.id }, context, filtersOf(input));
  }
}

function filtersOf({ search, order_by, sort, page, per_page, include_archived }: Input) {
  return {
    ...{ search, order_by, sort, page, per_page },
    ...(!include_archived && { archived: false }),
    search_namespaces: false,
    simple: true,
    owned: false,
    membership: false,
    starred: false,
    statistics: false,
    with_custom_attributes: false,
  };
}
