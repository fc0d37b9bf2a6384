import { getAppearance, updateAppearance } from '@moothall/contracts';
import type { SitePage } from '../../page/page';
import { changesIn, type FieldFacts, FieldList, valuesOf } from '../../parts/field-list';
import { Form, Was } from '../../parts/form';
import { inAdmin } from '../../parts/in-admin';
import { Saved, savedAt } from '../../parts/saved';

const path = '/admin/application_settings/appearance';

const fields: readonly FieldFacts[] = [
  { name: 'title', label: 'Title', hint: 'The sign-in page and the start page of visitors show it.' },
  { name: 'description', label: 'Description', hint: 'Text below the title.', is: 3 },
  { name: 'header_message', label: 'Message at the top of all pages' },
  { name: 'footer_message', label: 'Message at the bottom of all pages' },
  {
    name: 'message_background_color',
    label: 'Background colour of the messages',
    hint: 'For example #e75e40.',
    required: true,
  },
  { name: 'message_font_color', label: 'Text colour of the messages', hint: 'For example #ffffff.', required: true },
  { name: 'email_header_and_footer_enabled', label: 'Emails contain the messages as well', is: true },
];

/** Texts and colours by which the instance presents itself. */
export const appearancePage: SitePage = {
  at: path,
  show: (visit, address) =>
    inAdmin(visit, address, async () => {
      const values = valuesOf(fields, await visit.ask(getAppearance, {}));
      return {
        title: 'Appearance',
        body: (
          <>
            <Saved address={address} />
            <p>Pages show changes after a moment. The logos and the icon are changed by the API.</p>
            <Form visit={visit} address={address} name="appearance">
              <Was values={values} />
              <FieldList fields={fields} values={values} />
              <button type="submit">Save</button>
            </Form>
          </>
        ),
      };
    }),
  forms: {
    appearance: async (visit, _address, sent) => {
      const changes = changesIn(fields, sent, await visit.ask(getAppearance, {}));
      await visit.submitChanges(updateAppearance, {}, changes);
      return savedAt(path);
    },
  },
};
