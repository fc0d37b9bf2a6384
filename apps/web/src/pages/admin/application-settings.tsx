import { getApplicationSettings, updateApplicationSettings } from '@moothall/contracts';
import type { SitePage } from '../../page/page';
import { changesIn, FieldList, valuesOf } from '../../parts/field-list';
import { Form, Was } from '../../parts/form';
import { inAdmin } from '../../parts/in-admin';
import { Saved, savedAt } from '../../parts/saved';
import { generalSections, networkSections, type SettingSection } from './setting-fields';

interface Facts {
  title: string;
  path: string;
  sections: readonly SettingSection[];
}

/** A page with a form for some of the settings of the instance. */
function settingsPage({ title, path, sections }: Facts): SitePage {
  const fields = sections.flatMap((section) => section.fields);
  return {
    at: path,
    show: (visit, address) =>
      inAdmin(visit, address, async () => {
        const values = valuesOf(fields, await visit.ask(getApplicationSettings, {}));
        return {
          title,
          body: (
            <>
              <Saved address={address} />
              <Form visit={visit} address={address} name="settings">
                <Was values={values} />
                {sections.map((section) => (
                  <fieldset key={section.title}>
                    <legend>{section.title}</legend>
                    <FieldList fields={section.fields} values={values} />
                  </fieldset>
                ))}
                <button type="submit">Save</button>
              </Form>
            </>
          ),
        };
      }),
    forms: {
      settings: async (visit, _address, sent) => {
        const changes = changesIn(fields, sent, await visit.ask(getApplicationSettings, {}));
        await visit.submitChanges(updateApplicationSettings, {}, changes);
        return savedAt(path);
      },
    },
  };
}

/** Defaults of projects, groups and users, and how users sign in. */
export const generalInstanceSettingsPage = settingsPage({
  title: 'General settings',
  path: '/admin/application_settings/general',
  sections: generalSections,
});

/** Sizes, requests to other servers, and limits of requests. */
export const networkSettingsPage = settingsPage({
  title: 'Network settings',
  path: '/admin/application_settings/network',
  sections: networkSections,
});
