import { createOwnToken, listTokens, type OutputOf, revokeToken, rotateToken, tokenScopes } from '@moothall/contracts';
import { Confirmation, Named, ScopeText, scopeMark, withoutTurns } from '@moothall/pages';
import type { Address, SitePage } from '../../page/page';
import { ConfirmedAction } from '../../parts/confirmed-action';
import { Choices, DayField, Form, TextField } from '../../parts/form';
import { inAccount } from '../../parts/in-account';
import { IssuedSecret } from '../../parts/issued-secret';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { shortened } from '../../parts/shortened';
import { Day } from '../../parts/time';
import type { Visit } from '../../visit/visits';

type Token = OutputOf<typeof listTokens>['items'][number];

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

interface Shown {
  visit: Visit;
  address: Address;
}

const TokenRecord = ({ visit, address, token }: Shown & { token: Token }) => {
  const { id, name, scopes, created_at, expires_at, last_used_at } = token;
  const shown = withoutTurns(shortened(name));
  return (
    <section class="record">
      <h3>
        <Named>{name}</Named>
      </h3>
      <ul class="facts">
        <li>
          <code>{scopes.join(' ')}</code>
        </li>
        <li>
          Created on <Day at={created_at} />
        </li>
        <li>
          {last_used_at ? (
            <>
              Used on <Day at={last_used_at} />
            </>
          ) : (
            'Never used'
          )}
        </li>
        {expires_at && (
          <li>
            Expires on <Day at={expires_at} />
          </li>
        )}
      </ul>
      <Confirmation word="Rotate…" consequence="The token stops working at once, and you get a new one.">
        <Form visit={visit} address={address} name="rotate" of={String(id)}>
          <DayField name="expires_at" label="Expires on" hint="Without a day, the new token expires in a week." />
          <button type="submit">Rotate {shown}</button>
        </Form>
      </Confirmation>
      <ConfirmedAction
        visit={visit}
        address={address}
        name="revoke"
        of={String(id)}
        word={`Revoke ${shown}`}
        consequence="Programs that use the token stop working at once."
      />
    </section>
  );
};

const NewToken = ({ visit, address, isAdmin }: Shown & { isAdmin: boolean }) => {
  const { query } = address;
  const scopes = tokenScopes.filter((scope) => isAdmin || scope !== 'sudo');
  const options = scopes.map((scope) => ({
    value: scope,
    label: <ScopeText scope={scope} />,
    mark: scopeMark(scope),
  }));
  return (
    <>
      <h2>New token</h2>
      <Form visit={visit} address={address} name="new-token">
        <TextField name="name" label="Name" value={query.get('name') ?? ''} required />
        <DayField name="expires_at" label="Expires on" hint="Without a day, the token does not expire." />
        <Choices name="scopes" label="Scopes" values={(query.get('scopes') ?? '').split(',')} options={options} />
        <button type="submit">Create token</button>
      </Form>
    </>
  );
};
