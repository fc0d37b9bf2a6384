import { createIssue, getProjectTemplate, listProjectTemplates, type ProjectRef } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import { filled } from '../../forms/filled';
import type { Address, ProjectPage } from '../../page/page';
import { pathOf } from '../../parts/address';
import { Form } from '../../parts/form';
import { inProject } from '../../parts/in-project';
import { readPlanningChoices } from '../../parts/planning-fields';
import type { Visit } from '../../visit/visits';
import { IssueFields, sentIssue } from './issue-fields';

/** A form for a new issue; a link to it can fill it in: `?issue[title]=…&issuable_template=bug`. */
export const newIssuePage: ProjectPage = {
  at: '/issues/new',
  async show(visit, project, address) {
    if (!(await visit.may(createIssue, project))) return undefined;
    const [choices, templates, values] = await Promise.all([
      readPlanningChoices(visit, project),
      visit.askIfSeen(listProjectTemplates, { id: String(project.id), type: 'issues', per_page: 50 }),
      givenValues(visit, project, address),
    ]);
    return inProject(visit, project, {
      title: 'New issue',
      body: (
        <>
          {templates && <Templates templates={templates.items} />}
          <Form visit={visit} address={address} name="new-issue">
            <IssueFields values={values} choices={choices} />
            <button type="submit">Create issue</button>
          </Form>
        </>
      ),
    });
  },
  forms: {
    'new-issue': async (visit, project, _address, sent) => {
      const fields = { ...filled(sentIssue(sent)), title: sent.text('title') };
      const issue = await visit.submit(createIssue, { id: String(project.id), ...fields });
      return pathOf(issue.web_url);
    },
  },
};

/** Values in the address. */
async function givenValues(visit: Visit, project: ProjectRef, { query }: Address): Promise<Record<string, string>> {
  const key = query.get('issuable_template');
  const template = key
    ? await visit.askIfSeen(getProjectTemplate, { id: String(project.id), type: 'issues', key })
    : undefined;
  return {
    title: query.get('issue[title]') ?? '',
    description: query.get('issue[description]') ?? template?.content ?? '',
    confidential: String(query.get('issue[confidential]') === 'true'),
  };
}

const Templates = ({ templates }: { templates: readonly { key: string; name: string }[] }) =>
  templates.length === 0 ? null : (
    <nav class="parts" aria-label="Templates">
      <span>Begin with a template:</span>
      {templates.map(({ key, name }) => (
        <a key={key} href={`?issuable_template=${encodeURIComponent(key)}`}>
          <Named>{name}</Named>
        </a>
      ))}
    </nav>
  );
