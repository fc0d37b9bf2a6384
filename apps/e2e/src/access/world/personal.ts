import { newGpgKey } from '../../identity/gpg-key';
import { newSshKey } from '../../identity/ssh-key';
import { groupTree, packed, partsOf } from '../../projects/group-archive';
import { uniqueName } from '../../server/connection';
import { until } from '../../server/until';
import type { People } from './people';
import { asRoot, fileNamed, nobody, recordsOf, send } from './send';

/** Records of one user, and the same with unknown ids. */
export async function makeUsers({ self }: People) {
  const make = (path: string, body: object = {}) => send(self.token, 'POST', path, body);
  const key = await make('/user/keys', { title: 'key', key: newSshKey() });
  const gpgKey = await make('/user/gpg_keys', { key: newGpgKey() });
  const email = await make('/user/emails', { email: `${uniqueName('second')}@example.com` });
  const name = uniqueName('own');
  const project = await make('/projects', { name, path: name, visibility: 'private' });
  const issue = await make(`/projects/${project.id}/issues`, { title: 'issue' });
  const todo = await make(`/projects/${project.id}/issues/${issue.iid}/todo`);
  const asked = { name: 'token', scopes: ['read_api'], expires_at: '2099-01-01' };
  const token = await asRoot('POST', `/users/${self.id}/personal_access_tokens`, asked);
  const impersonation = await asRoot('POST', `/users/${self.id}/impersonation_tokens`, asked);
  await asRoot('PUT', `/users/${self.id}/custom_attributes/kept`, { value: 'x' });
  await make('/security/projects', { project_id: project.id });
  const { id: exported } = await make(`/security/projects/${project.id}/vulnerability_exports`);
  await until('the export', async () => {
    const { status } = await send(self.token, 'GET', `/security/vulnerability_exports/${exported}`);
    return status === 'finished';
  });
  const archive = fileNamed('group.tar.gz', new Uint8Array(await packed(partsOf(groupTree(1, 1)))));
  for (const field of ['name', 'path']) archive.set(field, uniqueName('imported'));
  const { import_id } = await make('/groups/import', archive);
  const active = recordsOf({
    ...{ user: self.id, username: self.username, key: key.id, email: email.id, project: project.id, todo: todo.id },
    ...{ gpg_key: gpgKey.id, token: token.id, impersonation: impersonation.id },
    ...{ export: exported, group_import: import_id },
  });
  const missing = Object.fromEntries(Object.keys(active).map((one) => [one, nobody]));
  return { active, missing };
}

/** Personal snippets of each visibility. */
export async function makeSnippets({ self }: People) {
  const make = async (visibility: string) => {
    const body = { title: 's', file_name: 'a.txt', content: 'x', visibility };
    return recordsOf({ snippet: (await send(self.token, 'POST', '/snippets', body)).id });
  };
  const [open, internal, closed] = [await make('public'), await make('internal'), await make('private')];
  return { public: open, internal, private: closed, missing: { snippet: nobody } };
}
