import { listProjectIssues } from '@moothall/contracts';
import type { ProjectPage } from '../../page/page';
import { inProject } from '../../parts/in-project';
import { filtersOf, IssuableList } from '../../parts/issuable';

const states = ['opened', 'closed', 'all'] as const;

/** The issues of a project. */
export const issuesPage: ProjectPage = {
  at: '/issues',
  async show(visit, project, address) {
    const { items } = await visit.ask(listProjectIssues, { id: String(project.id), ...filtersOf(address, states) });
    return inProject(visit, project, {
      title: 'Issues',
      body: <IssuableList address={address} items={items} states={states} none="No issue matches." />,
    });
  },
};
