import { newSshKeyPair } from '@moothall/secrets';
import { newUser, root, uniqueName } from '../server/connection';
import type { Answers } from './answers';

/** Public users, deploy keys, project tokens, and server metadata. */
export async function askIdentity(answers: Answers): Promise<void> {
  const { id, token, username } = await newUser('seen');
  await answers.take('user/public.json', '/user', { token });
  await answers.take('user/admin.json', `/users/${id}`);
  await answers.take('user/admins.json', '/users');
  const email = `${uniqueName('made')}@example.com`;
  const made = { email, name: 'Made', username: uniqueName('made'), password: 'a long secret' };
  const { id: madeId } = await answers.post('user/admin.json', '/users', made);
  await answers.put('user/admin.json', `/users/${madeId}`, { bio: 'Changed' });
  await answers.take('user/basic.json', `/users/${id}`, { token });
  await answers.take('user/basics.json', `/users?username=${username}`, { token });
  await answers.take('user/safes.json', `/users?username=${username}`, { token });
  await answers.take('metadata.json', '/metadata');
  await askOfProject(answers);
}

async function askOfProject(answers: Answers): Promise<void> {
  const { id } = await root.Projects.create({ name: uniqueName('keyed') });
  const project = `/projects/${id}`;
  const key = await answers.post('deploy_key.json', `${project}/deploy_keys`, {
    title: 'Key',
    key: newSshKeyPair('ed25519').public,
    can_push: true,
  });
  await answers.take('deploy_keys.json', `${project}/deploy_keys`);
  await answers.take('deploy_key.json', `${project}/deploy_keys/${key.id}`);
  await answers.put('deploy_key.json', `${project}/deploy_keys/${key.id}`, { title: 'Renamed' });
  await answers.take('deploy_keys.json', '/deploy_keys');
  const token = { name: 'Token', scopes: ['api'], expires_at: '2099-01-01' };
  const { id: tokenId } = await answers.ask<{ id: number }>(`${project}/access_tokens`, {
    method: 'POST',
    body: token,
  });
  await answers.take('resource_access_tokens.json', `${project}/access_tokens`);
  await answers.take('resource_access_token.json', `${project}/access_tokens/${tokenId}`);
}
