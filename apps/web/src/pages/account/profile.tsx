import { getCurrentUser, listOwnEmails, type OutputOf, updateOwnProfile } from '@moothall/contracts';
import { changesOf, type FieldValues } from '../../forms/changes';
import type { SentForm } from '../../forms/sent-form';
import type { SitePage } from '../../page/page';
import { Check, Choice, Form, TextArea, TextField, Was } from '../../parts/form';
import { inAccount } from '../../parts/in-account';
import type { Visit } from '../../visit/visits';

type OwnUser = OutputOf<typeof getCurrentUser>;

const path = '/-/user_settings/profile';

/** Fields with a text, in their order. */
const texts = [
  { name: 'job_title', label: 'Job title' },
  { name: 'organization', label: 'Organization' },
  { name: 'location', label: 'Location' },
  { name: 'website_url', label: 'Website' },
  { name: 'linkedin', label: 'LinkedIn' },
  { name: 'twitter', label: 'Twitter' },
  { name: 'skype', label: 'Skype' },
] as const;

/** The profile of the signed-in user. */
export const profilePage: SitePage = {
  at: [path, '/-/profile'],
  show: (visit, address) =>
    inAccount(visit, address, async ({ username }) => {
      const [user, addresses] = await Promise.all([visit.ask(getCurrentUser, {}), confirmedAddresses(visit)]);
      const values = profileValues(user);
      const emails = [{ value: '', label: 'None' }, ...addresses.map((value) => ({ value, label: value }))];
      return {
        title: 'Profile',
        body: (
          <>
            <p>
              <a href={`/${username}`}>Your page</a> shows this to other users.
            </p>
            <Form visit={visit} address={address} name="profile">
              <Was values={values} />
              <TextField name="name" label="Name" value={values.name} required />
              <TextArea name="bio" label="About you" value={values.bio} rows={3} />
              <Choice name="public_email" label="Public email" value={values.public_email} options={emails} />
              {texts.map((field) => (
                <TextField key={field.name} {...field} value={values[field.name]} />
              ))}
              <Check
                name="private_profile"
                label="Private: others see only your name"
                value={values.private_profile === 'true'}
              />
              <button type="submit">Save</button>
            </Form>
          </>
        ),
      };
    }),
  forms: {
    profile: async (visit, _address, sent) => {
      const current = profileValues(await visit.ask(getCurrentUser, {}));
      const changes = changesOf(sent, sentProfile(sent), current);
      if (Object.keys(changes).length > 0) await visit.submit(updateOwnProfile, changes);
      return path;
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

const profileValues = (user: OwnUser): FieldValues => ({
  ...Object.fromEntries(texts.map(({ name }) => [name, user[name] ?? ''])),
  name: user.name,
  bio: user.bio ?? '',
  public_email: user.public_email ?? '',
  private_profile: String(user.private_profile),
});

const sentProfile = (sent: SentForm): FieldValues => ({
  ...Object.fromEntries(texts.map(({ name }) => [name, sent.text(name)])),
  name: sent.text('name'),
  bio: sent.text('bio'),
  public_email: sent.text('public_email'),
  private_profile: sent.flag('private_profile'),
});
