import { Access, getIssue, type Issue, type ProjectRef, reaches, updateIssue } from '@moothall/contracts';
import { changesOf } from '../../forms/changes';
import type { ProjectPage } from '../../page/page';
import { below } from '../../parts/code-address';
import { Form, Was } from '../../parts/form';
import { inProject } from '../../parts/in-project';
import { readPlanningChoices } from '../../parts/planning-fields';
import type { Visit } from '../../visit/visits';
import { issueAt } from './issue-address';
import { IssueFields, issueValues, sentIssue } from './issue-fields';

/** Whether a visitor may change an issue. Source: docs/api/issues.md#1. */
export const mayChange = async (visit: Visit, project: ProjectRef, issue: Issue): Promise<boolean> =>
  (await visit.may(updateIssue, project)) &&
  (issue.author.id === visit.caller?.id || reaches(project, Access.Reporter));

/** A form that changes an issue. */
export const editIssuePage: ProjectPage = {
  at: '/issues/:iid/edit',
  async show(visit, project, address) {
    const issue = await visit.ask(getIssue, issueAt(project, address));
    if (!(await mayChange(visit, project, issue))) return undefined;
    const choices = await readPlanningChoices(visit, project, issue);
    const values = issueValues(issue, choices !== undefined);
    return inProject(visit, project, {
      title: `Edit issue #${issue.iid}`,
      body: (
        <Form visit={visit} address={address} name="issue">
          <Was values={values} />
          <IssueFields values={values} choices={choices} />
          <button type="submit">Save</button>
          <a href={below(project, `issues/${issue.iid}`)}>Cancel</a>
        </Form>
      ),
    });
  },
  forms: {
    issue: async (visit, project, address, sent) => {
      const asked = issueAt(project, address);
      const current = issueValues(await visit.ask(getIssue, asked), true);
      const changes = changesOf(sent, sentIssue(sent), current);
      await visit.submitChanges(updateIssue, asked, changes);
      return below(project, `issues/${asked.issue_iid}`);
    },
  },
};
