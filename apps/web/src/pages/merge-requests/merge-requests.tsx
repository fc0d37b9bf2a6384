import {
  createMergeRequest,
  listMergeRequestsOfMilestones,
  listProjectMergeRequests,
  type MergeRequest,
} from '@moothall/contracts';
import type { ProjectPage } from '../../page/page';
import { below } from '../../parts/code-address';
import { inProject } from '../../parts/in-project';
import { filtersOf, IssuableList } from '../../parts/issuable';
import { milestonesOfRelease, OfRelease } from '../../parts/release-filter';
import { longestText } from '../../parts/texts';

const states = ['opened', 'merged', 'closed', 'all'] as const;

/** The merge requests of a project. */
export const mergeRequestsPage: ProjectPage = {
  at: '/merge_requests',
  async show(visit, project, address) {
    const asked = { id: String(project.id), ...filtersOf(address, states) };
    const milestone_ids = await milestonesOfRelease(visit, project, address);
    const [{ items }, creates] = await Promise.all([
      milestone_ids
        ? visit.ask(listMergeRequestsOfMilestones, { ...asked, milestone_ids }, longestText)
        : visit.ask(listProjectMergeRequests, asked, longestText),
      visit.may(createMergeRequest, project),
    ]);
    return inProject(visit, project, {
      title: 'Merge requests',
      body: (
        <>
          {creates && (
            <p>
              <a href={below(project, 'merge_requests/new')}>New merge request</a>
            </p>
          )}
          <OfRelease project={project} address={address} />
          <IssuableList
            address={address}
            items={items as readonly MergeRequest[]}
            states={states}
            none="No merge request matches."
          />
        </>
      ),
    });
  },
};
