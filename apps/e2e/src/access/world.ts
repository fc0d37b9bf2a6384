import { randomBytes } from 'node:crypto';
import { ask, connection, newUser, uniqueName } from '../server/connection';
import { until } from '../server/until';
import type { roles, states } from './matrix';

export type Role = (typeof roles)[number];
export type State = (typeof states)[number];

type Shown = { [name: string]: unknown };

/** Names of records as paths have them, of one project. */
export type Records = { [name: string]: string };

export interface World {
  /** None of the anonymous one. */
  tokens: { [role in Role]: string | undefined };
  records: { [state in State]: Records };
}

const nobody = '999999999';
const levels = { guest: 10, reporter: 20, developer: 30, maintainer: 40 };

/** Asks in a name, and fails on what is not as it should be: a world that is half there would prove nothing. */
async function send(token: string, method: string, path: string, body?: object): Promise<Shown> {
  const response = await ask(`/api/v4${path}`, {
    ...{ method, token },
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text ? JSON.parse(text) : {};
}

const asRoot = (method: string, path: string, body?: object) => send(connection.token, method, path, body);

const key = () =>
  `ssh-ed25519 ${Buffer.concat([Buffer.from('\0\0\0\x0bssh-ed25519\0\0\0 '), randomBytes(32)]).toString('base64')}`;

const ciFile = 'job:\n  script: [echo]\n';

/** Every gateway has heard of it: of so many at once each is asked something. */
async function everywhere(what: string, path: string, init: RequestInit, expected: number): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const one = async () => {
    const body = init.method === 'POST' ? { headers, body: '{"body":"x"}' } : {};
    const response = await ask(`/api/v4${path}`, { ...init, ...body, token: connection.token });
    await response.arrayBuffer();
    return response.status === expected;
  };
  await until(what, async () => (await Promise.all(Array.from({ length: 16 }, one))).every(Boolean), 60_000);
}

/** What a fork has of its own accord. */
async function fillCode(project: string): Promise<void> {
  const commit = (branch: string, file_path: string, content: string) =>
    asRoot('POST', `${project}/repository/commits`, {
      ...{ branch, start_branch: 'main', commit_message: 'file [ci skip]' },
      actions: [{ action: 'create', file_path, content }],
    });
  await commit('feature', 'feature.txt', 'x');
  await commit('ci', '.gitlab-ci.yml', ciFile);
  await asRoot('POST', `${project}/repository/tags`, { tag_name: 'v1', ref: 'main' });
}

/** One of everything that operations are asked about, all of it the administrator's. */
async function fill(id: unknown, userId: number): Promise<Records> {
  const project = `/projects/${id}`;
  const make = (path: string, body: object = {}) => asRoot('POST', `${project}${path}`, body);
  const issue = await make('/issues', { title: 'issue' });
  const note = await make(`/issues/${issue.iid}/notes`, { body: 'note' });
  const label = await make('/labels', { name: 'label', color: '#112233' });
  const milestone = await make('/milestones', { title: uniqueName('milestone') });
  const snippet = await make('/snippets', { title: 's', file_name: 'a.txt', content: 'x', visibility: 'public' });
  const wiki = await make('/wikis', { title: 'home', content: 'x' });
  const ownId = { target_project_id: id };
  const mr = await make('/merge_requests', {
    ...{ title: 'mr', source_branch: 'feature', target_branch: 'main' },
    ...ownId,
  });
  const pipeline = await make('/pipeline', { ref: 'ci' });
  const [job] = (await asRoot('GET', `${project}/pipelines/${pipeline.id}/jobs`)) as unknown as Shown[];
  const schedule = await make('/pipeline_schedules', { description: 's', ref: 'main', cron: '0 1 * * *' });
  await make('/releases', { tag_name: 'v1', description: 'first' });
  const hook = await make('/hooks', { url: 'https://receiver.invalid/', push_events: false });
  const badge = await make('/badges', { link_url: 'https://example.com', image_url: 'https://example.com/x.png' });
  const deployKey = await make('/deploy_keys', { title: 'key', key: key() });
  await make('/variables', { key: 'KEPT', value: 'x' });
  await asRoot('PUT', `${project}/packages/generic/app/1.0/file.txt`, {});
  const [file] = (await asRoot('GET', `${project}/packages`)) as unknown as Shown[];
  const [entry] = (await asRoot('GET', `${project}/repository/tree`)) as unknown as Shown[];
  const [commit] = (await asRoot('GET', `${project}/repository/commits`)) as unknown as Shown[];
  const records = {
    ...{ id, issue: issue.iid, note: note.id, label: label.id, milestone: milestone.id, snippet: snippet.id },
    ...{ wiki: wiki.slug, mr: mr.iid, pipeline: pipeline.id, job: job?.id, schedule: schedule.id, hook: hook.id },
    ...{ badge: badge.id, deploy_key: deployKey.id, package: file?.id, blob: entry?.id, sha: commit?.id },
    ...{ member: userId, none: nobody },
  };
  return Object.fromEntries(Object.entries(records).map(([name, value]) => [name, String(value)]));
}

/** Users in every role, and a project in every state, each with one of everything. */
export async function makeWorld(): Promise<World> {
  const [external, outsider, guest, reporter] = [await newUser(), await newUser(), await newUser(), await newUser()];
  const [developer, maintainer, owner] = [await newUser(), await newUser(), await newUser()];
  await asRoot('PUT', `/users/${external.id}`, { external: true });
  const members = { guest, reporter, developer, maintainer };

  const newGroup = async () => {
    const path = uniqueName('access');
    const { id } = await asRoot('POST', '/groups', { name: path, path, visibility: 'public' });
    await asRoot('POST', `/groups/${id}/members`, { user_id: owner.id, access_level: 50 });
    return id;
  };
  const addMembers = async (place: string) => {
    for (const [role, level] of Object.entries(levels))
      await asRoot('POST', `${place}/members`, {
        user_id: members[role as keyof typeof members].id,
        access_level: level,
      });
  };
  const newProject = async (groupId: unknown, visibility: string) => {
    const path = uniqueName('access');
    const body = { name: path, path, namespace_id: groupId, visibility, initialize_with_readme: true };
    const { id } = await asRoot('POST', '/projects', body);
    await fillCode(`/projects/${id}`);
    return id;
  };

  const groupId = await newGroup();
  const ofGroup = async (visibility: string) => {
    const id = await newProject(groupId, visibility);
    await addMembers(`/projects/${id}`);
    return { id, records: await fill(id, guest.id) };
  };
  const [open, internal, closed] = [await ofGroup('public'), await ofGroup('internal'), await ofGroup('private')];
  const [archived, deleted] = [await ofGroup('public'), await ofGroup('public')];
  await asRoot('POST', `/projects/${archived.id}/archive`);
  await asRoot('DELETE', `/projects/${deleted.id}`);

  const elsewhere = uniqueName('access');
  const other = await asRoot('POST', '/groups', { name: elsewhere, path: elsewhere, visibility: 'public' });
  const invited = await newGroup();
  await addMembers(`/groups/${invited}`);
  const sharedId = await newProject(other.id, 'private');
  await asRoot('POST', `/projects/${sharedId}/share`, { group_id: invited, group_access: levels.developer });

  const asked = { path: uniqueName('fork'), visibility: 'private' };
  const fork = await send(developer.token, 'POST', `/projects/${open.id}/fork`, asked);
  await until(
    'the fork',
    async () => {
      const { import_status } = await asRoot('GET', `/projects/${fork.id}`);
      return import_status === 'finished' || import_status === 'none';
    },
    60_000,
  );
  const [shared, forked] = [await fill(sharedId, guest.id), await fill(fork.id, guest.id)];
  await everywhere('archived', `/projects/${archived.id}/issues/1/notes`, { method: 'POST' }, 403);
  await everywhere('deleted', `/projects/${deleted.id}`, {}, 404);

  return {
    tokens: {
      anonymous: undefined,
      ...{ external: external.token, outsider: outsider.token, guest: guest.token, reporter: reporter.token },
      ...{ developer: developer.token, maintainer: maintainer.token, owner: owner.token },
      administrator: connection.token,
    },
    records: {
      ...{ public: open.records, internal: internal.records, private: closed.records, archived: archived.records },
      ...{ shared, forked, deleted: deleted.records },
      missing: { ...deleted.records, id: nobody },
    },
  };
}
