import { type ContextOf, type ParsedOf, searchSnippetTitles } from '@moothall/contracts';
import { containing } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { ReadableProjects } from '../parent/readable-projects';
import { Snippets } from './snippet.repository';
import { SnippetViews } from './snippet-views';
import { visibleAnywhere } from './visible-snippets';

/** Searches snippets that the caller may see by title. See docs/api/search.md#7. */
@Controller()
export class SearchSnippets {
  constructor(
    private readonly snippets: Snippets,
    private readonly readable: ReadableProjects,
    private readonly views: SnippetViews,
  ) {}

  @Handles(searchSnippetTitles)
  async handle(
    { caller }: ContextOf<typeof searchSnippetTitles>,
    { search, page, per_page }: ParsedOf<typeof searchSnippetTitles>,
  ) {
    const scope = await this.readable.findScope(caller, { feature: 'snippets', withArchived: true });
    const words = search.split(/\s+/).filter((word) => word !== '');
    const titled = words.map((word) => ({ title: containing(word) }));
    const filter = { $and: [...titled, visibleAnywhere(caller, scope)] };
    return this.views.page(await this.snippets.findPage(filter, { page, per_page }));
  }
}
