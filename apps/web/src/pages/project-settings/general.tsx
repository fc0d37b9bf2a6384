import { getProject, type Project, updateProject } from '@moothall/contracts';
import type { ProjectPage } from '../../page/page';
import { branchNames } from '../../parts/branch-names';
import type { FieldFacts } from '../../parts/field-list';
import { inSettings } from '../../parts/in-settings';
import { Saved, savedAt } from '../../parts/saved';
import { SettingsForm, saveSettings } from '../../parts/settings-form';
import { visibilityOptions } from '../../parts/visibility-options';
import { FinalActions, finalForms } from './final-actions';

/** Name, visibility and parts of a project; archiving, transfer and deletion. */
export const generalSettingsPage: ProjectPage = {
  at: '/edit',
  async show(visit, project, address) {
    if (!(await visit.mayManage(updateProject, project))) return undefined;
    const [record, branches, actions] = await Promise.all([
      visit.ask(getProject, { id: String(project.id) }),
      branchNames(visit, project),
      FinalActions({ visit, project, address }),
    ]);
    return inSettings(visit, project, {
      title: 'Settings',
      body: (
        <>
          <Saved address={address} />
          <SettingsForm
            visit={visit}
            address={address}
            record={record}
            pictured={record}
            fields={fieldsFor(record, branches)}
          />
          {actions}
        </>
      ),
    });
  },
  forms: {
    settings: async (visit, project, _address, sent) => {
      const record = await visit.ask(getProject, { id: String(project.id) });
      await saveSettings(visit, updateProject, record, sent, fieldsFor(record, []));
      return savedAt(`/${project.fullPath}/edit`);
    },
    ...finalForms,
  },
};

const access = (name: string, label: string): FieldFacts => ({
  name: `${name}_access_level`,
  label,
  is: [
    { value: 'enabled', label: 'Everybody who can see the project' },
    { value: 'private', label: 'Only members' },
    { value: 'disabled', label: 'Nobody' },
  ],
});

const fieldsFor = ({ default_branch }: Project, branches: readonly string[]): readonly FieldFacts[] => [
  { name: 'name', label: 'Name', required: true },
  { name: 'description', label: 'Description', is: 3 },
  { name: 'topics', label: 'Topics', hint: 'Separated by commas.' },
  // An empty repository has none.
  { name: 'default_branch', label: 'Default branch', suggestions: branches, required: default_branch !== null },
  { name: 'visibility', label: 'Visibility', is: visibilityOptions },
  access('repository', 'Who can use the repository'),
  access('issues', 'Who can use issues'),
  access('merge_requests', 'Who can use merge requests'),
  access('builds', 'Who can use pipelines'),
  access('wiki', 'Who can use the wiki'),
  access('snippets', 'Who can use snippets'),
  access('container_registry', 'Who can use container images'),
  { name: 'autoclose_referenced_issues', label: 'A merge closes the issues that it names', is: true },
  { name: 'request_access_enabled', label: 'Users may request access', is: true },
];
