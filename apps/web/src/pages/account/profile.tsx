import { getCurrentUser, listOwnEmails, updateOwnProfile } from '@moothall/contracts';
import type { SitePage } from '../../page/page';
import { changesIn, type FieldFacts, FieldList, valuesOf } from '../../parts/field-list';
import { Form, Was } from '../../parts/form';
import { inAccount } from '../../parts/in-account';
import { AvatarField, pictureIn } from '../../parts/picture-field';
import { Saved, savedAt } from '../../parts/saved';
import type { Visit } from '../../visit/visits';

const path = '/-/user_settings/profile';

const fieldsFor = (addresses: readonly string[]): readonly FieldFacts[] => [
  { name: 'name', label: 'Name', required: true },
  { name: 'bio', label: 'About you', is: 3 },
  {
    name: 'public_email',
    label: 'Public email',
    is: [{ value: '', label: 'None' }, ...addresses.map((value) => ({ value, label: value }))],
  },
  { name: 'job_title', label: 'Job title' },
  { name: 'organization', label: 'Organization' },
  { name: 'location', label: 'Location' },
  { name: 'website_url', label: 'Website' },
  { name: 'linkedin', label: 'LinkedIn' },
  { name: 'twitter', label: 'Twitter' },
  { name: 'skype', label: 'Skype' },
  { name: 'private_profile', label: 'Private: others see only your name', is: true },
];

/** The profile of the signed-in user. */
export const profilePage: SitePage = {
  at: [path, '/-/profile'],
  show: (visit, address) =>
    inAccount(visit, address, async ({ username }) => {
      const [user, addresses] = await Promise.all([visit.ask(getCurrentUser, {}), confirmedAddresses(visit)]);
      const fields = fieldsFor(addresses);
      const values = valuesOf(fields, user);
      return {
        title: 'Profile',
        body: (
          <>
            <Saved address={address} />
            <p>
              <a href={`/${username}`}>Your page</a> shows this to other users.
            </p>
            <Form visit={visit} address={address} name="profile" sendsFiles>
              <Was values={values} />
              <AvatarField of={user} />
              <FieldList fields={fields} values={values} />
              <button type="submit">Save</button>
            </Form>
          </>
        ),
      };
    }),
  forms: {
    profile: async (visit, _address, sent) => {
      const fields = fieldsFor([]);
      const changes = changesIn(fields, sent, await visit.ask(getCurrentUser, {}));
      await visit.submitChanges(updateOwnProfile, {}, { ...changes, ...pictureIn(sent, 'avatar') });
      return savedAt(path);
    },
  },
};

/** The addresses that the signed-in user has confirmed. */
export async function confirmedAddresses(visit: Visit): Promise<string[]> {
  const [{ email }, { items }] = await Promise.all([
    visit.ask(getCurrentUser, {}),
    visit.ask(listOwnEmails, { per_page: 100 }),
  ]);
  return [email, ...items.filter(({ confirmed_at }) => confirmed_at !== null).map((one) => one.email)];
}
