import { createIssue, listIssuesOfMilestones, listProjectIssues } from '@moothall/contracts';
import type { ProjectPage } from '../../page/page';
import { below } from '../../parts/code-address';
import { inProject } from '../../parts/in-project';
import { filtersOf, IssuableList } from '../../parts/issuable';
import { milestonesOfRelease, OfRelease } from '../../parts/release-filter';
import { longestText } from '../../parts/texts';

const states = ['opened', 'closed', 'all'] as const;

/** The issues of a project. */
export const issuesPage: ProjectPage = {
  at: '/issues',
  async show(visit, project, address) {
    const asked = { id: String(project.id), ...filtersOf(address, states) };
    const milestone_ids = await milestonesOfRelease(visit, project, address);
    const [{ items }, creates] = await Promise.all([
      milestone_ids
        ? visit.ask(listIssuesOfMilestones, { ...asked, milestone_ids }, longestText)
        : visit.ask(listProjectIssues, asked, longestText),
      visit.may(createIssue, project),
    ]);
    return inProject(visit, project, {
      title: 'Issues',
      body: (
        <>
          {creates && (
            <p>
              <a href={below(project, 'issues/new')}>New issue</a>
            </p>
          )}
          <OfRelease project={project} address={address} />
          <IssuableList address={address} items={items} states={states} none="No issue matches." />
        </>
      ),
    });
  },
};
