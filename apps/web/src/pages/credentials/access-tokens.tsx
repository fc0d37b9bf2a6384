import { type GroupRef, type ProjectRef, reaches } from '@moothall/contracts';
import { filled } from '../../forms/filled';
import type { ParentPage } from '../../page/page';
import { TokenRecord } from '../../parts/access-token';
import { type FieldFacts, FieldList, sentValues } from '../../parts/field-list';
import { Form } from '../../parts/form';
import { IssuedSecret } from '../../parts/issued-secret';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { roleOf, roleOptions } from '../../parts/roles';
import { ScopeBoxes } from '../../parts/scope-boxes';
import { ofGroup, ofProject, type TokensOf } from './token-operations';

const fieldsWith = (granted: readonly number[]): readonly FieldFacts[] => [
  { name: 'name', label: 'Name', required: true },
  { name: 'description', label: 'Description' },
  { name: 'access_level', label: 'Role', hint: 'The token has the rights of this role.', is: roleOptions(granted) },
  { name: 'expires_at', label: 'Expires on', hint: 'Without a day, the token does not expire.', is: 'day' },
];

const wordsOf = <T,>({ kind, content }: TokensOf<T>) => ({
  api: `Do everything in the ${kind} that the role allows`,
  read_api: `Read everything in the ${kind} that the role allows`,
  read_repository: `Read the code of ${content}`,
  write_repository: `Read and change the code of ${content}`,
  read_registry: `Read the container images of ${content}`,
  write_registry: `Read and change the container images of ${content}`,
});

const at = 'settings/access_tokens';

/** The access tokens of a project or a group. */
const accessTokensPageOf = <T extends ProjectRef | GroupRef>(of: TokensOf<T>): ParentPage<T> => ({
  at: `/${at}`,
  async show(visit, parent, address) {
    const asked = { id: String(parent.id), state: 'active', page: pageOf(address), per_page: perPage } as const;
    const { items } = await visit.ask(of.accessTokens.list, asked);
    // Those that the visitor may give to a token, and of tokens that the visitor may change.
    const granted = of.levels.filter((level) => reaches(parent, level));
    return of.within(visit, parent, {
      title: 'Access tokens',
      body: (
        <>
          <p>Programs use an access token of the {of.kind} for the interface and for git over HTTP, without a user.</p>
          <IssuedSecret name="The new access token" address={address} />
          <h2>Active tokens</h2>
          {items.length === 0 && <p class="dim">There are no active tokens.</p>}
          {items.map((token) => (
            <TokenRecord
              key={token.id}
              visit={visit}
              address={address}
              token={token}
              mayChange={granted.includes(token.access_level)}
            >
              <li>{roleOf(token.access_level)}</li>
            </TokenRecord>
          ))}
          <Paging address={address} shown={items.length} />
          <h2>New token</h2>
          <Form visit={visit} address={address} name="new-token">
            <FieldList fields={fieldsWith(granted)} />
            <ScopeBoxes words={wordsOf(of)} />
            <button type="submit">Create token</button>
          </Form>
        </>
      ),
    });
  },
  forms: {
    'new-token': async (visit, parent, _address, sent) => {
      const values = { ...filled(sentValues(fieldsWith([]), sent)), scopes: sent.list('scopes') };
      const { token } = await visit.submit(of.accessTokens.create, { id: String(parent.id), ...values });
      return { secret: token };
    },
    rotate: async (visit, parent, _address, sent) => {
      const asked = { id: String(parent.id), token_id: sent.text('of'), expires_at: sent.text('expires_at') };
      const { token } = await visit.submit(of.accessTokens.rotate, asked);
      return { secret: token };
    },
    revoke: async (visit, parent, _address, sent) => {
      await visit.submit(of.accessTokens.revoke, { id: String(parent.id), token_id: sent.text('of') });
      return of.pathIn(parent, at);
    },
  },
});

export const projectTokensPage = accessTokensPageOf<ProjectRef>(ofProject);
export const groupTokensPage = accessTokensPageOf<GroupRef>(ofGroup);
