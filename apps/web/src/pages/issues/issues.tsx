import { createIssue, listProjectIssues } from '@moothall/contracts';
import type { ProjectPage } from '../../page/page';
import { below } from '../../parts/code-address';
import { inProject } from '../../parts/in-project';
import { filtersOf, IssuableList } from '../../parts/issuable';

const states = ['opened', 'closed', 'all'] as const;

/** The issues of a project. */
export const issuesPage: ProjectPage = {
  at: '/issues',
  async show(visit, project, address) {
    const id = String(project.id);
    const [{ items }, creates] = await Promise.all([
      visit.ask(listProjectIssues, { id, ...filtersOf(address, states) }),
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
          <IssuableList address={address} items={items} states={states} none="No issue matches." />
        </>
      ),
    });
  },
};
