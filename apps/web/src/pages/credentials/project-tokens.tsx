import {
  Access,
  createProjectToken,
  listProjectTokens,
  type Project,
  revokeProjectToken,
  rotateProjectToken,
} from '@moothall/contracts';
import { filled } from '../../forms/filled';
import type { ProjectPage } from '../../page/page';
import { TokenRecord } from '../../parts/access-token';
import { below } from '../../parts/code-address';
import { type FieldFacts, FieldList, sentValues } from '../../parts/field-list';
import { Form } from '../../parts/form';
import { inSettings } from '../../parts/in-settings';
import { IssuedSecret } from '../../parts/issued-secret';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { roleOf, roleOptions } from '../../parts/roles';
import { ScopeBoxes } from '../../parts/scope-boxes';
import type { Visit } from '../../visit/visits';

/** Levels of members of a project. */
const levels = [Access.Guest, Access.Reporter, Access.Developer, Access.Maintainer];

const fieldsWith = (granted: readonly number[]): readonly FieldFacts[] => [
  { name: 'name', label: 'Name', required: true },
  { name: 'description', label: 'Description' },
  { name: 'access_level', label: 'Role', hint: 'The token has the rights of this role.', is: roleOptions(granted) },
  { name: 'expires_at', label: 'Expires on', hint: 'Without a day, the token does not expire.', is: 'day' },
];

const words = {
  api: 'Do everything in the project that the role allows',
  read_api: 'Read everything in the project that the role allows',
  read_repository: 'Read the code of the project',
  write_repository: 'Read and change the code of the project',
  read_registry: 'Read the container images of the project',
  write_registry: 'Read and change the container images of the project',
};

/** The access tokens of a project. */
export const projectTokensPage: ProjectPage = {
  at: '/settings/access_tokens',
  async show(visit, project, address) {
    const asked = { id: String(project.id), state: 'active', page: pageOf(address), per_page: perPage } as const;
    const [{ items }, granted] = await Promise.all([visit.ask(listProjectTokens, asked), grantedBy(visit, project)]);
    return inSettings(visit, project, {
      title: 'Access tokens',
      body: (
        <>
          <p>Programs use an access token of the project for the interface and for git over HTTP, without a user.</p>
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
            <ScopeBoxes words={words} />
            <button type="submit">Create token</button>
          </Form>
        </>
      ),
    });
  },
  forms: {
    'new-token': async (visit, project, _address, sent) => {
      const values = { ...filled(sentValues(fieldsWith([]), sent)), scopes: sent.list('scopes') };
      const { token } = await visit.submit(createProjectToken, { id: String(project.id), ...values });
      return { secret: token };
    },
    rotate: async (visit, project, _address, sent) => {
      const asked = { id: String(project.id), token_id: sent.text('of'), expires_at: sent.text('expires_at') };
      const { token } = await visit.submit(rotateProjectToken, asked);
      return { secret: token };
    },
    revoke: async (visit, project, _address, sent) => {
      await visit.submit(revokeProjectToken, { id: String(project.id), token_id: sent.text('of') });
      return below(project, 'settings/access_tokens');
    },
  },
};

/** The levels that the visitor may give to a token, and of tokens that the visitor may change. */
async function grantedBy(visit: Visit, project: Project): Promise<number[]> {
  const reached = await Promise.all(levels.map((level) => visit.reaches(project, level)));
  return levels.filter((_level, at) => reached[at]);
}
