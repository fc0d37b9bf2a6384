import { createWikiPage, listSomeWikiPages } from '@moothall/contracts';
import type { ProjectPage } from '../../page/page';
import { inProject } from '../../parts/in-project';
import { Paging, pageOf } from '../../parts/paging';
import { newWikiPath } from '../../parts/wiki-path';
import { WikiPageList } from './wiki-page-list';

const pagesPerPage = 100;

/** All pages of a wiki, by slug. */
export const wikiPagesPage: ProjectPage = {
  at: '/wikis/pages',
  async show(visit, project, address) {
    const asked = { id: String(project.id), page: pageOf(address), per_page: pagesPerPage };
    const [{ items: pages, total }, creates] = await Promise.all([
      visit.ask(listSomeWikiPages, asked),
      visit.may(createWikiPage, project),
    ]);
    return inProject(visit, project, {
      title: 'Pages of the wiki',
      body: (
        <>
          {pages.length === 0 && <p class="dim">There are no pages.</p>}
          {creates && (
            <p>
              <a href={newWikiPath(project, total === 0 ? 'home' : '')}>
                {total === 0 ? 'Create the first page' : 'New page'}
              </a>
            </p>
          )}
          <WikiPageList project={project} pages={pages} />
          <Paging address={address} shown={pages.length} full={pagesPerPage} />
        </>
      ),
    });
  },
};
