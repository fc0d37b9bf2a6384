import { findPath, listCommits } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { ProjectPage } from '../../page/page';
import { below } from '../../parts/code-address';
import { CommitList } from '../../parts/commit-list';
import { inProject } from '../../parts/in-project';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { PathFacts } from '../../parts/path-facts';

/** The history of a branch, or of a file or folder in it. */
export const commitsPage: ProjectPage = {
  at: '/commits{/*rest}',
  async show(visit, project, address) {
    const id = String(project.id);
    const { ref, path } = await visit.ask(findPath, { id, ref_and_path: address.params.rest ?? '' });
    const asked = { id, ref_name: ref, ...(path && { path }), page: pageOf(address), per_page: perPage };
    const { items } = await visit.ask(listCommits, asked);
    return inProject(visit, project, {
      title: `Commits of ${path || ref}`,
      heading: (
        <>
          Commits of <Named>{path || ref}</Named>
        </>
      ),
      body: (
        <>
          <PathFacts shownRef={ref} links={{ Files: below(project, 'tree', ref, path) }} />
          <CommitList project={project} commits={items} none="There are no further commits." />
          <Paging address={address} shown={items.length} />
        </>
      ),
    });
  },
};
