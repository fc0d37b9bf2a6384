import { getAppearance, updateAppearance } from '@moothall/contracts';
import type { SitePage } from '../../page/page';
import { changesIn, type FieldFacts, FieldList, valuesOf } from '../../parts/field-list';
import { Form, Was } from '../../parts/form';
import { inAdmin } from '../../parts/in-admin';
import { PictureField, pictureIn } from '../../parts/picture-field';
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

const pictures = [
  { name: 'logo', label: 'Logo', hint: 'The sign-in page and the start page of visitors show it. At most 1 MB.' },
  { name: 'header_logo', label: 'Logo of the header', hint: 'At the top of all pages. At most 1 MB.' },
  { name: 'favicon', label: 'Icon', hint: 'Browsers show it in their tabs: PNG or ICO, at most 1 MB.' },
] as const;

/** Texts, colours and pictures by which the instance presents itself. */
export const appearancePage: SitePage = {
  at: path,
  show: (visit, address) =>
    inAdmin(visit, address, async () => {
      const appearance = await visit.ask(getAppearance, {});
      const values = valuesOf(fields, appearance);
      return {
        title: 'Appearance',
        body: (
          <>
            <Saved address={address} />
            <p>Pages show changes after a moment.</p>
            <Form visit={visit} address={address} name="appearance" sendsFiles>
              <Was values={values} />
              {pictures.map((field) => (
                <PictureField key={field.name} {...field} picture={appearance[field.name] ?? undefined} />
              ))}
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
      const chosen = pictures.map(({ name }) => pictureIn(sent, name));
      await visit.submitChanges(updateAppearance, {}, Object.assign({}, changes, ...chosen));
      return savedAt(path);
    },
  },
};
