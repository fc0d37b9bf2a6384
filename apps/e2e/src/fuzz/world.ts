import { randomBytes } from 'node:crypto';
import { newSshKey } from '../identity/ssh-key';
import type { OwnServer } from '../server/own-server';
import { fillFurther } from './further-records';
import { Records } from './records';

export type Answer = { [name: string]: unknown };
export type Ask = (method: string, path: string, body?: object) => Promise<Answer>;

export interface World {
  /** By role; undefined for the anonymous role. */
  tokens: { [role: string]: string | undefined };
  projectId: number;
  groupId: number;
  userIds: number[];
  records: Records;
}

export const roles = ['anonymous', 'stranger', 'member', 'administrator'];

const ciFile = `
job:
  script: [echo]
other:
  script: [echo]
  resource_group: shared
  environment: { name: review/first, url: https://example.com }
`;

/** Creates a group, a project, one of each record in them, and users with roles. */
export async function makeWorld(server: OwnServer): Promise<World> {
  const word = `w${randomBytes(4).toString('hex')}`;
  const records = new Records();
  const send = async (token: string, method: string, path: string, body: object = {}): Promise<Answer> => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${server.url}/api${path === '/graphql' ? '' : '/v4'}${path}`, {
      method,
      headers: { 'private-token': token, ...(!isForm && { 'content-type': 'application/json' }) },
      ...(method !== 'GET' && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    const answer = text ? JSON.parse(text) : {};
    records.learn(path.replace(/\/\d+(?=\/|$)/g, '/:id').replace(/\/:id$/, ''), answer);
    return answer;
  };
  const user = async (name: string, isAdmin: boolean) => {
    const username = `${name}-${word}`;
    const profile = { email: `${username}@example.com`, name: username, username, password: `secret-${word}` };
    const { id } = await send(server.token, 'POST', '/users', { ...profile, admin: isAdmin, skip_confirmation: true });
    const scopes = ['api', ...(isAdmin ? ['sudo'] : [])];
    const { token } = await send(server.token, 'POST', `/users/${id}/impersonation_tokens`, { name: 'fuzz', scopes });
    return { id: id as number, username, token: String(token) };
  };
  const [stranger, member, administrator] = [
    await user('stranger', false),
    await user('member', false),
    await user('administrator', true),
  ];
  const as = (method: string, path: string, body?: object) => send(member.token, method, path, body);
  const group = await as('POST', '/groups', { name: word, path: word, visibility: 'public' });
  const project = await as('POST', '/projects', {
    ...{ name: word, namespace_id: group.id, initialize_with_readme: true, visibility: 'public' },
  });
  await fill(as, `/projects/${project.id}`, `/groups/${group.id}`, word, { stranger, project });
  await fillFurther({
    ...{ word, member: as, project: `/projects/${project.id}`, group: `/groups/${group.id}` },
    administrator: (method, path, body) => send(administrator.token, method, path, body),
    graphql: (query) => as('POST', '/graphql', { query }),
    groupPath: String(group.full_path),
    projectId: Number(project.id),
  });
  await send(stranger.token, 'POST', `/groups/${group.id}/access_requests`);
  await send(stranger.token, 'POST', '/user/keys', { title: word, key: newSshKey() });
  return {
    tokens: { stranger: stranger.token, member: member.token, administrator: administrator.token },
    projectId: Number(project.id),
    groupId: Number(group.id),
    userIds: [stranger.id, member.id],
    records,
  };
}

async function fill(
  send: Ask,
  project: string,
  group: string,
  word: string,
  { stranger, project: made }: { stranger: { id: number; username: string }; project: Answer },
): Promise<void> {
  await send('POST', `${project}/repository/commits`, {
    branch: 'main',
    commit_message: 'files',
    actions: [
      { action: 'create', file_path: 'a/b.txt', content: 'b\n' },
      { action: 'create', file_path: '.gitlab-ci.yml', content: ciFile },
    ],
  });
  await send('POST', `${project}/repository/branches`, { branch: 'feature', ref: 'main' });
  await send('POST', `${project}/repository/commits`, {
    branch: 'feature',
    commit_message: 'change',
    actions: [{ action: 'update', file_path: 'a/b.txt', content: 'c\n' }],
  });
  await send('POST', `${project}/repository/tags`, { tag_name: 'v1', ref: 'main' });
  await send('POST', `${project}/releases`, { tag_name: 'v1', description: 'first' });
  await send('POST', `${project}/releases/v1/assets/links`, { name: 'app', url: 'https://example.com/app' });
  await send('POST', `${project}/protected_branches`, { name: 'stable' });
  await send('POST', `${project}/protected_tags`, { name: 'v*' });
  await send('POST', `${project}/members`, { user_id: stranger.id, access_level: 10 });
  for (const place of [project, group]) {
    await send('POST', `${place}/labels`, { name: `bug-${place.length}`, color: '#112233' });
    await send('POST', `${place}/milestones`, { title: `m-${place.length}` });
    await send('POST', `${place}/hooks`, { url: 'https://receiver.invalid/' });
    await send('POST', `${place}/badges`, { link_url: 'https://example.com', image_url: 'https://example.com/x.png' });
  }
  for (const title of ['one', 'two'])
    await send('POST', `${project}/issues`, { title, labels: `bug-${project.length}` });
  await send('POST', `${project}/issues/1/links`, { target_project_id: made.id, target_issue_iid: 2 });
  await send('POST', `${project}/merge_requests`, { title: 'mr', source_branch: 'feature', target_branch: 'main' });
  await send('POST', `${group}/epics`, { title: 'epic' });
  const snippet = await send('POST', `${project}/snippets`, {
    title: 's',
    file_name: 'a.txt',
    content: 'x',
    visibility: 'public',
  });
  await send('POST', '/snippets', { title: 'own', file_name: 'a.txt', content: 'x', visibility: 'public' });
  for (const noted of [`${project}/issues/1`, `${project}/merge_requests/1`, `${project}/snippets/${snippet.id}`]) {
    const note = await send('POST', `${noted}/notes`, { body: 'note' });
    await send('POST', `${noted}/discussions`, { body: 'discussion' });
    await send('POST', `${noted}/award_emoji`, { name: 'thumbsup' });
    await send('POST', `${noted}/notes/${note.id}/award_emoji`, { name: 'tada' });
  }
  await send('POST', `${project}/pipeline`, { ref: 'main', variables: [{ key: 'A', value: 'b' }] });
  await send('POST', `${project}/pipelines`, {}).catch(() => undefined);
  await send('POST', `${project}/environments`, { name: 'staging' });
  await send('POST', `${project}/protected_environments`, {
    ...{ name: 'guarded', deploy_access_levels: [{ access_level: 30 }] },
  });
  await send('POST', `${group}/protected_environments`, {
    ...{ name: 'testing', deploy_access_levels: [{ access_level: 30 }] },
  });
  await send('POST', `${project}/deployments`, {
    ...{ environment: 'staging', sha: 'main', ref: 'main', tag: false, status: 'success' },
  });
  const guarded = { minimum_access_level_for_push: 'admin', minimum_access_level_for_delete: 'admin' };
  await send('POST', `${project}/packages/protection/rules`, {
    ...{ ...guarded, package_type: 'generic', package_name_pattern: 'guarded*' },
  });
  await send('POST', `${project}/registry/protection/tag/rules`, { ...guarded, tag_name_pattern: '^guarded' });
  await send('POST', `${project}/freeze_periods`, { freeze_start: '0 23 * * 5', freeze_end: '0 7 * * 1' });
  await send('POST', `${project}/feature_flags_user_lists`, { name: 'friends', user_xids: 'ann,bob' });
  const everybody = [{ name: 'default', parameters: {}, scopes: [{ environment_scope: '*' }] }];
  const flag = { name: 'dark-mode', version: 'new_version_flag', strategies: everybody };
  await send('POST', `${project}/feature_flags`, flag);
  const schedule = { description: 's', ref: 'main', cron: '0 1 * * *' };
  await send('POST', `${project}/triggers`, { description: 'b' });
  await send('POST', `${project}/variables`, { key: 'KEPT', value: 'b' });
  await send('POST', `${group}/variables`, { key: 'KEPT', value: 'b' });
  const { id } = await send('POST', `${project}/pipeline_schedules`, schedule);
  await send('POST', `${project}/pipeline_schedules/${id}/variables`, { key: 'A', value: 'b' });
  await send('POST', `${project}/deploy_keys`, { title: word, key: newSshKey() });
  await send('POST', `${project}/deploy_tokens`, { name: word, scopes: ['read_repository'] });
  await send('POST', `${project}/access_tokens`, { name: 't', scopes: ['api'], access_level: 30 });
  await send('POST', `${group}/access_tokens`, { name: 't', scopes: ['api'], access_level: 30 });
  const account = await send('POST', `${group}/service_accounts`);
  const tokens = `${group}/service_accounts/${account.id}/personal_access_tokens`;
  await send('POST', tokens, { name: 't', scopes: ['api'] });
  await send('POST', `${group}/member_roles`, { name: 'auditor', base_access_level: 30, read_vulnerability: true });
  for (const place of [project, group])
    await send('POST', `${place}/invitations`, { email: `invited-${word}@example.com`, access_level: 10 });
  await send('POST', `${project}/remote_mirrors`, { url: 'https://example.com/x.git' });
  await send('POST', `${project}/wikis`, { title: 'home', content: 'x' });
  await send('POST', `${project}/star`);
  await send('POST', '/user/emails', { email: `second-${word}@example.com` });
  await send('POST', '/user/keys', { title: word, key: newSshKey() });
  await send('POST', '/user/runners', { runner_type: 'project_type', project_id: made.id });
}

/** Whether all users can sign in and the project exists: otherwise a new world is created. */
export async function isWhole(server: OwnServer, world: World): Promise<boolean> {
  const ask = (token: string | undefined, path: string) =>
    fetch(`${server.url}/api/v4${path}`, { headers: { ...(token && { 'private-token': token }) } }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.ok;
      },
    );
  const signedIn = await Promise.all(Object.values(world.tokens).map((token) => ask(token, '/user')));
  const { member, administrator } = world.tokens;
  const places = [
    ask(member, `/projects/${world.projectId}/issues/1`),
    ask(member, `/groups/${world.groupId}`),
    ask(administrator, '/application/settings'),
  ];
  return [...signedIn, ...(await Promise.all(places))].every(Boolean);
}
