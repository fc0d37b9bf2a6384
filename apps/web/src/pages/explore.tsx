import { listProjects } from '@moothall/contracts';
import type { SitePage } from '../page/page';
import { projectsAt } from '../parts/namespace-projects';
import { Paging } from '../parts/paging';
import { ProjectList } from '../parts/project-list';
import { SearchForm, searchOf } from '../parts/search-form';

/** All projects that the visitor may see, and a search in them. */
export const explorePage: SitePage = {
  at: '/explore',
  async show(visit, address) {
    const search = searchOf(address);
    const { items } = await visit.ask(listProjects, {
      ...projectsAt(address),
      ...(search && { search, search_namespaces: true }),
    });
    return {
      title: 'Explore projects',
      width: 'wide',
      body: (
        <>
          <SearchForm label="Search by name" address={address} />
          <ProjectList projects={items} none={search ? 'No project matches.' : 'There are no projects to see.'} />
          <Paging address={address} shown={items.length} />
        </>
      ),
    };
  },
};
