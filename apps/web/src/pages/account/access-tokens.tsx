import { createOwnToken, listTokens, revokeToken, rotateToken, tokenScopes } from '@moothall/contracts';
import { scopeWords } from '@moothall/pages';
import type { Address, SitePage } from '../../page/page';
import { TokenRecord } from '../../parts/access-token';
import { DayField, Form, TextField } from '../../parts/form';
import { inAccount } from '../../parts/in-account';
import { IssuedSecret } from '../../parts/issued-secret';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { ScopeBoxes } from '../../parts/scope-boxes';
import type { Visit } from '../../visit/visits';

const path = '/-/user_settings/personal_access_tokens';

/** The access tokens of the signed-in user; a link can fill in a new one: `?name=…&scopes=api,read_user`. */
export const accessTokensPage: SitePage = {
  at: [path, '/-/profile/personal_access_tokens'],
  show: (visit, address) =>
    inAccount(visit, address, async ({ id, isAdmin }) => {
      const asked = { user_id: id, state: 'active', page: pageOf(address), per_page: perPage } as const;
      const { items } = await visit.ask(listTokens, asked);
      return {
        title: 'Access tokens',
        body: (
          <>
            <p>Programs use a token instead of your password, for the interface and for git over HTTP.</p>
            <IssuedSecret name="Your new token" address={address} />
            <h2>Active tokens</h2>
            {items.length === 0 && <p class="dim">There are no active tokens.</p>}
            {items.map((token) => (
              <TokenRecord key={token.id} visit={visit} address={address} token={token} />
            ))}
            <Paging address={address} shown={items.length} />
            <NewToken visit={visit} address={address} isAdmin={isAdmin} />
          </>
        ),
      };
    }),
  forms: {
    'new-token': async (visit, _address, sent) => {
      const [name, expires_at] = [sent.text('name'), sent.text('expires_at')];
      const { token } = await visit.submit(createOwnToken, { name, scopes: sent.list('scopes'), expires_at });
      return { secret: token };
    },
    rotate: async (visit, _address, sent) => {
      const { token } = await visit.submit(rotateToken, { id: sent.text('of'), expires_at: sent.text('expires_at') });
      return { secret: token };
    },
    revoke: async (visit, _address, sent) => {
      await visit.submit(revokeToken, { id: sent.text('of') });
      return path;
    },
  },
};

const NewToken = ({ visit, address, isAdmin }: { visit: Visit; address: Address; isAdmin: boolean }) => {
  const { query } = address;
  const scopes = tokenScopes.filter((scope) => isAdmin || scope !== 'sudo');
  return (
    <>
      <h2>New token</h2>
      <Form visit={visit} address={address} name="new-token">
        <TextField name="name" label="Name" value={query.get('name') ?? ''} required />
        <DayField name="expires_at" label="Expires on" hint="Without a day, the token does not expire." />
        <ScopeBoxes
          words={Object.fromEntries(scopes.map((scope) => [scope, scopeWords[scope]]))}
          values={(query.get('scopes') ?? '').split(',')}
        />
        <button type="submit">Create token</button>
      </Form>
    </>
  );
};
