import { listContributors, type OutputOf } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { ProjectPage } from '../../page/page';
import { inProject } from '../../parts/in-project';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { count } from '../../parts/project-list';
import { shortened } from '../../parts/shortened';

type Contributor = OutputOf<typeof listContributors>['items'][number];

/** The authors of the latest commits. The API has those of the default branch only. */
export const contributorsPage: ProjectPage = {
  at: '/graphs{/*ref}',
  async show(visit, project, address) {
    const { ref } = address.params;
    if (ref && ref !== project.defaultBranch) return undefined;
    const asked = { id: String(project.id), page: pageOf(address), per_page: perPage };
    const { items } = await visit.ask(listContributors, { ...asked, order_by: 'commits', sort: 'desc' });
    return inProject(visit, project, {
      title: 'Contributors',
      body: (
        <>
          <p class="dim">
            Authors of the latest commits of <Named>{project.defaultBranch ?? ''}</Named>.
          </p>
          {items.length === 0 && <p class="dim">There are no further contributors.</p>}
          <ul class="list">
            {items.map((contributor) => (
              <li key={contributor.email}>
                <ContributorItem contributor={contributor} />
              </li>
            ))}
          </ul>
          <Paging address={address} shown={items.length} />
        </>
      ),
    });
  },
};

const ContributorItem = ({ contributor: { name, commits, additions, deletions } }: { contributor: Contributor }) => (
  <>
    <p>
      <Named>{shortened(name)}</Named>
    </p>
    <p class="dim">
      {count(commits, 'commit')}, {count(additions, 'addition')}, {count(deletions, 'deletion')}
    </p>
  </>
);
