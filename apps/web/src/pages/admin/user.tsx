import {
  countAssociations,
  deleteUser,
  deleteUserIdentity,
  disableUserTwoFactor,
  invalidRecord,
  listMemberships,
  type Membership,
} from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { Address, SitePage } from '../../page/page';
import { CollapsedForm } from '../../parts/collapsed-form';
import { ConfirmedAction } from '../../parts/confirmed-action';
import { Check, TextField } from '../../parts/form';
import { Heading } from '../../parts/heading';
import { inAdmin } from '../../parts/in-admin';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { roleOf } from '../../parts/roles';
import { Saved, savedAt } from '../../parts/saved';
import { withPageOnly } from '../../parts/with-page-only';
import type { Visit } from '../../visit/visits';
import { impersonationPath } from './impersonation-tokens';
import { type AdminUser, userAt, userPath } from './user-at';
import { UserFacts } from './user-facts';
import { StateActions, stateForms } from './user-state';

interface Props {
  visit: Visit;
  address: Address;
  user: AdminUser;
}

/** A user with facts for administrators, and what they can do with the account. */
export const adminUserPage: SitePage = {
  at: '/admin/users/:username',
  show: (visit, address) =>
    inAdmin(visit, address, async () => {
      const user = await userAt(visit, address);
      const [counts, { items }] = await Promise.all([
        visit.ask(countAssociations, { id: user.id }),
        visit.ask(listMemberships, { id: user.id, page: pageOf(address), per_page: perPage }),
      ]);
      const props = { visit, address, user };
      return {
        title: `User ${user.username}`,
        heading: <Heading of={user} name={user.name} />,
        body: (
          <>
            <Saved address={address} />
            <UserFacts user={user} counts={counts} />
            <div class="parts">
              <a href={`${userPath(user.username)}/edit`}>Edit</a>
              <a href={impersonationPath(user.username)}>Impersonation tokens</a>
              <a href={`/${user.username}`}>Public page</a>
            </div>
            <Identities {...props} />
            <Memberships address={address} memberships={items} />
            <h2>Access</h2>
            <TwoFactor {...props} />
            <StateActions {...props} />
            <h2>Delete this user</h2>
            <DeleteUser {...props} />
          </>
        ),
      };
    }),
  forms: {
    ...stateForms,
    'disable-two-factor': async (visit, address) => {
      const { id, username } = await userAt(visit, address);
      await visit.ask(disableUserTwoFactor, { id });
      return savedAt(userPath(username));
    },
    'delete-identity': async (visit, address, sent) => {
      const { id, username } = await userAt(visit, address);
      await visit.ask(deleteUserIdentity, { id, provider: sent.text('of') });
      return savedAt(userPath(username));
    },
    delete: async (visit, address, sent) => {
      const { id, username } = await userAt(visit, address);
      if (sent.text('confirm').trim() !== username) throw invalidRecord({ confirm: [`must be ${username}`] });
      await visit.submit(deleteUser, { id, hard_delete: sent.flag('hard_delete') });
      return '/admin/users';
    },
  },
};

const Identities = ({ visit, address, user }: Props) =>
  user.identities.length === 0 ? null : (
    <>
      <h2>Sign-in providers</h2>
      {user.identities.map(({ provider, extern_uid }) => (
        <section key={provider} class="record">
          <h3>
            <Named>{provider}</Named>
          </h3>
          <p>
            <code>{extern_uid}</code>
          </p>
          <ConfirmedAction
            visit={visit}
            address={address}
            name="delete-identity"
            of={provider}
            word="Remove this provider"
            consequence="The account at the provider no longer belongs to this user."
          />
        </section>
      ))}
    </>
  );

const Memberships = ({ address, memberships }: { address: Address; memberships: readonly Membership[] }) => (
  <>
    <h2>Memberships</h2>
    {memberships.length === 0 && <p class="dim">There are no direct memberships.</p>}
    <ul class="list">
      {memberships.map(({ source_type, source_id, source_name, access_level }) => (
        <li key={`${source_type}-${source_id}`}>
          {source_type === 'Project' ? 'Project' : 'Group'} <Named>{source_name}</Named>
          <span class="tag after">{roleOf(access_level)}</span>
        </li>
      ))}
    </ul>
    <Paging address={withPageOnly(address)} shown={memberships.length} />
  </>
);

/** Administrators disable their second factor themselves. */
const TwoFactor = ({ visit, address, user }: Props) =>
  user.two_factor_enabled && !user.is_admin ? (
    <ConfirmedAction
      visit={visit}
      address={address}
      name="disable-two-factor"
      word="Disable two-factor authentication"
      consequence="The user signs in with the password alone. Do this if the user lost the second factor."
    />
  ) : null;

const DeleteUser = ({ visit, address, user: { username } }: Props) => (
  <CollapsedForm
    visit={visit}
    address={address}
    name="delete"
    word="Delete…"
    consequence="The account and the projects below its path are deleted. Issues, comments and merge requests stay, and belong to the user Ghost. This cannot be undone."
  >
    <TextField name="confirm" label="Username" hint={`Type ${username} to confirm.`} required />
    <Check
      name="hard_delete"
      label="Also delete contributions"
      hint="Issues, comments and merge requests of the user are deleted, and groups that have no other owner."
      value={false}
    />
    <button type="submit" class="grave">
      Delete the user
    </button>
  </CollapsedForm>
);
