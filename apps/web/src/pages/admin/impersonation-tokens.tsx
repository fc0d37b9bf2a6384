import {
  createImpersonationToken,
  listImpersonationTokens,
  type OutputOf,
  revokeImpersonationToken,
  tokenScopes,
} from '@moothall/contracts';
import { Named, scopeWords, withoutTurns } from '@moothall/pages';
import type { Address, SitePage } from '../../page/page';
import { TokenRecord } from '../../parts/access-token';
import { ConfirmedAction } from '../../parts/confirmed-action';
import { DayField, Form, TextField } from '../../parts/form';
import { inAdmin } from '../../parts/in-admin';
import { IssuedSecret } from '../../parts/issued-secret';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { ScopeBoxes } from '../../parts/scope-boxes';
import { shortened } from '../../parts/shortened';
import type { Visit } from '../../visit/visits';
import { type AdminUser, userAt, userPath } from './user-at';

type Token = OutputOf<typeof listImpersonationTokens>['items'][number];

interface Props {
  visit: Visit;
  address: Address;
}

/** The path of the page. */
export const impersonationPath = (username: string): string => `${userPath(username)}/impersonation_tokens`;

/** Tokens by which administrators act as a user. */
export const impersonationTokensPage: SitePage = {
  at: '/admin/users/:username/impersonation_tokens',
  show: (visit, address) =>
    inAdmin(visit, address, async () => {
      const user = await userAt(visit, address);
      const asked = { user_id: user.id, state: 'active', page: pageOf(address), per_page: perPage } as const;
      const { items } = await visit.ask(listImpersonationTokens, asked);
      return {
        title: `Impersonation tokens of ${user.username}`,
        heading: (
          <>
            Impersonation tokens of <Named>{user.name}</Named>
          </>
        ),
        body: (
          <>
            <p>
              A program with such a token acts as <a href={userPath(user.username)}>this user</a>. The user does not see
              it.
            </p>
            <IssuedSecret name="The new token" address={address} />
            <h2>Active tokens</h2>
            {items.length === 0 && <p class="dim">There are no active tokens.</p>}
            {items.map((token) => (
              <Impersonation key={token.id} visit={visit} address={address} token={token} />
            ))}
            <Paging address={address} shown={items.length} />
            <NewToken visit={visit} address={address} user={user} />
          </>
        ),
      };
    }),
  forms: {
    'new-token': async (visit, address, sent) => {
      const { id } = await userAt(visit, address);
      const [name, expires_at] = [sent.text('name'), sent.text('expires_at')];
      const given = { user_id: id, name, scopes: sent.list('scopes'), expires_at };
      return { secret: (await visit.submit(createImpersonationToken, given)).token };
    },
    revoke: async (visit, address, sent) => {
      const { id, username } = await userAt(visit, address);
      await visit.submit(revokeImpersonationToken, { user_id: id, impersonation_token_id: sent.text('of') });
      return impersonationPath(username);
    },
  },
};

const Impersonation = ({ token, ...form }: Props & { token: Token }) => (
  <>
    <TokenRecord {...form} token={token} mayChange={false} />
    <ConfirmedAction
      {...form}
      name="revoke"
      of={String(token.id)}
      word={`Revoke ${withoutTurns(shortened(token.name))}`}
      consequence="Programs that use the token stop working at once."
    />
  </>
);

const NewToken = ({ user, ...form }: Props & { user: AdminUser }) => {
  const scopes = tokenScopes.filter((scope) => user.is_admin || scope !== 'sudo');
  return (
    <>
      <h2>New token</h2>
      <Form {...form} name="new-token">
        <TextField name="name" label="Name" required />
        <DayField name="expires_at" label="Expires on" hint="Without a day, the token does not expire." />
        <ScopeBoxes words={Object.fromEntries(scopes.map((scope) => [scope, scopeWords[scope]]))} />
        <button type="submit">Create token</button>
      </Form>
    </>
  );
};
