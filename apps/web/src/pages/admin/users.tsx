import { type InputOf, listUsers, type OutputOf } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { SitePage } from '../../page/page';
import { inAdmin } from '../../parts/in-admin';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { SearchForm, searchOf } from '../../parts/search-form';
import { States, stateOf } from '../../parts/states';
import { userPath } from './user-at';
import { UserTags } from './user-tags';

type User = OutputOf<typeof listUsers>['items'][number];

/** Each as a filter of the operation. */
const filters = {
  all: {},
  active: { active: true },
  blocked: { blocked: true },
  administrators: { admins: true },
  external: { external: true },
  'without projects': { without_projects: true },
  'without second factor': { two_factor: 'disabled' },
} as const satisfies Record<string, Partial<InputOf<typeof listUsers>>>;

const states = Object.keys(filters) as [keyof typeof filters, ...(keyof typeof filters)[]];

/** The users of the instance, and a search in them. */
export const usersPage: SitePage = {
  at: '/admin/users',
  show: (visit, address) =>
    inAdmin(visit, address, async () => {
      const search = searchOf(address);
      const { items } = await visit.ask(listUsers, {
        ...filters[stateOf(address, states)],
        ...(search && { search }),
        ...{ page: pageOf(address), per_page: perPage },
      });
      return {
        title: 'Users',
        body: (
          <>
            <p>
              <a href="/admin/users/new">New user</a>
            </p>
            <SearchForm label="Search by name, username or email address" address={address} />
            <States address={address} states={states} />
            {items.length === 0 && <p class="dim">No user matches.</p>}
            <ul class="list">
              {items.map((user) => (
                <li key={user.id}>
                  <UserItem user={user} />
                </li>
              ))}
            </ul>
            <Paging address={address} shown={items.length} />
          </>
        ),
      };
    }),
};

const UserItem = ({ user }: { user: User }) => (
  <>
    <p>
      <a href={userPath(user.username)}>
        <Named>{user.name}</Named>
      </a>{' '}
      <span class="dim">@{user.username}</span>
      <UserTags user={user} />
    </p>
    {'email' in user && <p class="dim">{user.email}</p>}
  </>
);
