import { getGroup, updateGroup } from '@moothall/contracts';
import type { GroupPage } from '../../page/page';
import { belowGroup } from '../../parts/code-address';
import type { FieldFacts } from '../../parts/field-list';
import { inGroupSettings } from '../../parts/in-settings';
import { Saved, savedAt } from '../../parts/saved';
import { SettingsForm, saveSettings } from '../../parts/settings-form';
import { visibilityOptions } from '../../parts/visibility-options';
import { FinalActions, finalForms } from './final-actions';

/** Name, visibility and rules of a group; its new path, its transfer and its deletion. */
export const groupSettingsPage: GroupPage = {
  at: '/edit',
  async show(visit, group, address) {
    if (!(await visit.mayManage(updateGroup, group))) return undefined;
    const [record, actions] = await Promise.all([
      visit.ask(getGroup, { id: String(group.id), with_projects: false }),
      FinalActions({ visit, group, address }),
    ]);
    return inGroupSettings(visit, group, {
      title: 'Settings',
      body: (
        <>
          <Saved address={address} />
          <SettingsForm visit={visit} address={address} record={record} fields={fields} pictured={record} />
          {actions}
        </>
      ),
    });
  },
  forms: {
    settings: async (visit, group, _address, sent) => {
      const record = await visit.ask(getGroup, { id: String(group.id), with_projects: false });
      await saveSettings(visit, updateGroup, record, sent, fields);
      return savedAt(belowGroup(group, 'edit'));
    },
    ...finalForms,
  },
};

/** The settings that have an effect. Source: docs/api/groups.md#2. */
const fields: readonly FieldFacts[] = [
  { name: 'name', label: 'Name', required: true },
  { name: 'description', label: 'Description', is: 3 },
  { name: 'visibility', label: 'Visibility', is: visibilityOptions },
  {
    name: 'project_creation_level',
    label: 'Who can create projects',
    is: [
      { value: 'developer', label: 'Developers, maintainers and owners' },
      { value: 'maintainer', label: 'Maintainers and owners' },
      { value: 'noone', label: 'Only administrators' },
    ],
  },
  {
    name: 'subgroup_creation_level',
    label: 'Who can create subgroups',
    is: [
      { value: 'maintainer', label: 'Maintainers and owners' },
      { value: 'owner', label: 'Owners' },
    ],
  },
  {
    name: 'default_branch_protection',
    label: 'Protection of the default branch of new projects',
    is: [
      { value: '0', label: 'Not protected' },
      { value: '1', label: 'Developers push, maintainers merge' },
      { value: '2', label: 'Maintainers push and merge' },
      { value: '3', label: 'Maintainers push, developers merge' },
    ],
  },
  { name: 'share_with_group_lock', label: 'Projects cannot be shared with other groups', is: true },
  { name: 'request_access_enabled', label: 'Users may request access', is: true },
];
