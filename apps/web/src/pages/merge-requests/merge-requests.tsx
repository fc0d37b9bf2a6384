import { listProjectMergeRequests, type MergeRequest } from '@moothall/contracts';
import type { ProjectPage } from '../../page/page';
import { inProject } from '../../parts/in-project';
import { filtersOf, IssuableList } from '../../parts/issuable';

const states = ['opened', 'merged', 'closed', 'all'] as const;

/** The merge requests of a project. */
export const mergeRequestsPage: ProjectPage = {
  at: '/merge_requests',
  async show(visit, project, address) {
    const asked = { id: String(project.id), ...filtersOf(address, states) };
    const { items } = await visit.ask(listProjectMergeRequests, asked);
    return inProject(visit, project, {
      title: 'Merge requests',
      body: (
        <IssuableList
          address={address}
          items={items as readonly MergeRequest[]}
          states={states}
          none="No merge request matches."
        />
      ),
    });
  },
};
