import type { DeployToken, deployTokenScopes, GroupRef, ProjectRef } from '@moothall/contracts';
import { Named, withoutTurns } from '@moothall/pages';
import { filled } from '../../forms/filled';
import type { Address, ParentPage } from '../../page/page';
import { ConfirmedAction } from '../../parts/confirmed-action';
import { Expiry } from '../../parts/credential-days';
import { type FieldFacts, FieldList, sentValues } from '../../parts/field-list';
import { Form } from '../../parts/form';
import { IssuedSecret } from '../../parts/issued-secret';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { ScopeBoxes } from '../../parts/scope-boxes';
import { shortened } from '../../parts/shortened';
import type { Visit } from '../../visit/visits';
import { ofGroup, ofProject, type TokensOf } from './token-operations';

const fields: readonly FieldFacts[] = [
  { name: 'name', label: 'Name', required: true },
  { name: 'username', label: 'Username', hint: 'Letters, digits and _ . + -. Without a name, the server makes one.' },
  { name: 'expires_at', label: 'Expires on', hint: 'Without a day, the token does not expire.', is: 'day' },
];

const wordsOf = <T,>({ content }: TokensOf<T>): Record<(typeof deployTokenScopes)[number], string> => ({
  read_repository: `Read the code of ${content}`,
  read_registry: `Read the container images of ${content}`,
  write_registry: `Read and change the container images of ${content}`,
  read_package_registry: `Read the packages of ${content}`,
  write_package_registry: `Read and change the packages of ${content}`,
});

/** The deploy tokens of a project or a group. */
const deployTokensPageOf = <T extends { id: number }>(of: TokensOf<T>, at: string[]): ParentPage<T> => ({
  at,
  async show(visit, parent, address) {
    const asked = { id: String(parent.id), active: true, page: pageOf(address), per_page: perPage };
    const { items } = await visit.ask(of.deployTokens.list, asked);
    return of.within(visit, parent, {
      title: 'Deploy tokens',
      body: (
        <>
          <p>Servers use a deploy token to fetch code, images and packages of {of.content}, without a user.</p>
          <IssuedSecret name="The new deploy token" address={address} />
          <h2>Active deploy tokens</h2>
          {items.length === 0 && <p class="dim">There are no active deploy tokens.</p>}
          {items.map((token) => (
            <DeployTokenRecord key={token.id} visit={visit} address={address} token={token} />
          ))}
          <Paging address={address} shown={items.length} />
          <h2>New deploy token</h2>
          <Form visit={visit} address={address} name="new-token">
            <FieldList fields={fields} />
            <ScopeBoxes words={wordsOf(of)} />
            <button type="submit">Create token</button>
          </Form>
        </>
      ),
    });
  },
  forms: {
    'new-token': async (visit, parent, _address, sent) => {
      const values = { ...filled(sentValues(fields, sent)), scopes: sent.list('scopes') };
      const { token, username } = await visit.submit(of.deployTokens.create, { id: String(parent.id), ...values });
      return { secret: token, username };
    },
    revoke: async (visit, parent, _address, sent) => {
      await visit.submit(of.deployTokens.revoke, { id: String(parent.id), token_id: sent.text('of') });
      return of.pathIn(parent, 'deploy_tokens');
    },
  },
});

export const deployTokensPage = deployTokensPageOf<ProjectRef>(ofProject, ['/deploy_tokens']);
// A group has no deploy keys, which a project has at the second address.
export const groupDeployTokensPage = deployTokensPageOf<GroupRef>(ofGroup, ['/deploy_tokens', '/settings/repository']);

const DeployTokenRecord = ({ visit, address, token }: { visit: Visit; address: Address; token: DeployToken }) => (
  <section class="record">
    <h3>
      <Named>{token.name}</Named>
    </h3>
    <ul class="facts">
      <li>
        Username <code>{token.username}</code>
      </li>
      <li>
        <code>{token.scopes.join(' ')}</code>
      </li>
      <Expiry at={token.expires_at} />
    </ul>
    <ConfirmedAction
      visit={visit}
      address={address}
      name="revoke"
      of={String(token.id)}
      word={`Revoke ${withoutTurns(shortened(token.name))}`}
      consequence="Servers that use the token lose their access at once."
    />
  </section>
);
