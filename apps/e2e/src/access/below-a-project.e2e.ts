import { connectNats } from '@moothall/messaging';
import { ask, connection, newUser, uniqueName } from '../server/connection';
import { until } from '../server/until';
import { asRoot, fileNamed, makerBelow, nobody, send } from './world/send';

/*
 * A resource that the caller may not read answers like one that does not exist: projects and groups, the resources below
 * them, also to callers with the token of a project or of a job. The status, the body, the headers and the calls between
 * gateway and services are the same. See docs/api/access.md#2.
 */

type Nats = Awaited<ReturnType<typeof connectNats>>;

/** The same request for a hidden resource and for a missing one. */
type Pair = [method: string, hidden: string, missing: string, body?: object];

/** Headers that differ between any two requests. */
const varying = new Set(['date', 'x-request-id', 'x-runtime', 'etag', 'x-gitlab-meta', 'connection', 'keep-alive']);
const turns = 5;

let nats: Nats;
/** Subjects of calls, by request. */
const questions = new Map<string, string[]>();

beforeAll(async () => {
  nats = await connectNats(connection.nats_url, 'below-a-project');
  nats.subscribe('>', {
    callback: (_error, message) => {
      const context = message.headers?.get('context');
      const id: unknown = context && JSON.parse(context).requestId;
      if (typeof id === 'string') questions.set(id, [...(questions.get(id) ?? []), message.subject]);
    },
  });
  await nats.flush();
});
afterAll(() => nats.close());

/** Everything that a caller learns about a resource, with the calls to services. */
async function traceOf(method: string, path: string, headers: Record<string, string>, body?: object): Promise<string> {
  const json = body && { body: JSON.stringify(body) };
  const response = await ask(path, {
    ...{ method, redirect: 'manual', ...json },
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
  });
  const text = await response.text();
  await nats.flush();
  const shown = [...response.headers]
    .filter(([name]) => !varying.has(name))
    .map(([name, value]) => `${name}: ${value}`);
  const asked = questions.get(response.headers.get('x-request-id')!) ?? [];
  return [response.status, text.replace(/"request_id":"[^"]+"/, ''), ...shown.sort(), ...asked.sort()].join('\n');
}

/** Entries of short-lived caches may expire between the two requests: a real difference shows each time. */
async function differenceOf([method, hidden, missing, body]: Pair, headers: Record<string, string>) {
  let last = '';
  for (let turn = 0; turn < turns; turn++) {
    const [found, none] = [await traceOf(method, hidden, headers, body), await traceOf(method, missing, headers, body)];
    if (!found.startsWith('2') && found === none) return [];
    last = `${method} ${hidden}: ${found}\ninstead of, as ${missing}, ${none}`;
  }
  return [last];
}

async function differencesOf(pairs: readonly Pair[], headers: Record<string, string> = {}): Promise<string[]> {
  const found: string[] = [];
  for (const pair of pairs) found.push(...(await differenceOf(pair, headers)));
  return found;
}

/** Each path below a hidden resource, beside the same path below a missing one. */
const below = (hidden: string, missing: string, asks: readonly (string | [string, object])[]): Pair[] =>
  asks.map((one) => {
    const [text, body] = typeof one === 'string' ? [one] : one;
    const [method = '', rest = ''] = text.split(' ');
    return [method, `/api/v4${hidden}${rest}`, `/api/v4${missing}${rest}`, ...(body ? [body] : [])] as Pair;
  });

const ofNoteable = ['GET /notes', 'GET /discussions', 'GET /award_emoji', ['POST /notes', { body: 'x' }]] as const;
const ofIssue = [
  ...['GET ', 'DELETE ', 'GET /links', 'GET /time_stats', 'GET /participants', 'GET /closed_by', 'POST /subscribe'],
  ...['GET /related_merge_requests', 'GET /resource_label_events', 'GET /resource_state_events', 'POST /todo'],
] as const;

describe('hidden records of a readable project or group', () => {
  let project: string;
  let group: string;
  const hidden: { [name: string]: unknown } = {};
  let tokens: [string, string | undefined][];

  beforeAll(async () => {
    const [outsider, guest, reporter] = [await newUser(), await newUser(), await newUser()];
    const name = uniqueName('open');
    const { id: groupId } = await asRoot('POST', '/groups', { name, path: name, visibility: 'public' });
    group = `/groups/${groupId}`;
    const body = { name, namespace_id: groupId, visibility: 'public', initialize_with_readme: true };
    project = `/projects/${(await asRoot('POST', '/projects', body)).id}`;
    await asRoot('POST', `${project}/members`, { user_id: guest.id, access_level: 10 });
    await asRoot('POST', `${project}/members`, { user_id: reporter.id, access_level: 20 });
    const make = makerBelow(project);
    hidden.issue = (await make('/issues', { title: 'x', confidential: true })).iid;
    hidden.open = (await make('/issues', { title: 'x' })).iid;
    const note = { body: 'x', confidential: true };
    hidden.note = (await make(`/issues/${hidden.open}/notes`, note)).id;
    hidden.snippet = (await make('/snippets', { title: 's', file_name: 'a', content: 'x', visibility: 'private' })).id;
    hidden.epic = (await asRoot('POST', `${group}/epics`, { title: 'x', confidential: true })).iid;
    hidden.mr = (
      await (async () => {
        const actions = [{ action: 'create', file_path: 'x', content: 'x' }];
        const commit = { branch: 'topic', start_branch: 'main', commit_message: 'x', actions };
        await make('/repository/commits', commit);
        return make('/merge_requests', { title: 'x', source_branch: 'topic', target_branch: 'main' });
      })()
    ).iid;
    hidden.draft = (await make(`/merge_requests/${hidden.mr}/draft_notes`, { note: 'x' })).id;
    hidden.own = (
      await asRoot('POST', '/snippets', { title: 's', file_name: 'a', content: 'x', visibility: 'private' })
    ).id;
    tokens = [
      ['anonymous', undefined],
      ['outsider', outsider.token],
      ['guest', guest.token],
    ];
    tokens.push(['reporter', reporter.token]);
  });

  const differencesFor = async (pairs: readonly Pair[], roles: readonly string[]) => {
    const asked = tokens.filter(([role]) => roles.includes(role));
    const found: string[] = [];
    for (const [role, token] of asked) {
      const differences = await differencesOf(pairs, token ? { 'private-token': token } : {});
      found.push(...differences.map((difference) => `${role}: ${difference}`));
    }
    return found;
  };
  const outside = ['anonymous', 'outsider', 'guest'];

  it('hides a confidential issue, with all its notes and events', async () => {
    const pairs = below(`${project}/issues/${hidden.issue}`, `${project}/issues/${nobody}`, [
      ...ofIssue,
      ...(ofNoteable as unknown as string[]),
      ['PUT ', { title: 'y' }],
    ]);
    expect(await differencesFor(pairs, outside)).toEqual([]);
  });

  it('hides an internal note', async () => {
    const notes = `${project}/issues/${hidden.open}/notes`;
    const pairs = below(`${notes}/${hidden.note}`, `${notes}/${nobody}`, [
      ...['GET ', 'DELETE ', 'GET /award_emoji'],
      ['PUT ', { body: 'y' }],
    ]);
    expect(await differencesFor(pairs, outside)).toEqual([]);
  });

  it('hides snippets of other users', async () => {
    const asks = ['GET ', 'GET /raw', 'DELETE '];
    const ofProject = below(`${project}/snippets/${hidden.snippet}`, `${project}/snippets/${nobody}`, [
      ...asks,
      ...(ofNoteable as unknown as string[]),
    ]);
    const personal = below(`/snippets/${hidden.own}`, `/snippets/${nobody}`, asks);
    expect(await differencesFor(ofProject, ['anonymous', 'outsider'])).toEqual([]);
    expect(await differencesFor(personal, ['anonymous', 'outsider', 'reporter'])).toEqual([]);
  });

  it('hides a confidential epic', async () => {
    const pairs = below(`${group}/epics/${hidden.epic}`, `${group}/epics/${nobody}`, [
      'GET ',
      'DELETE ',
      'GET /issues',
    ]);
    expect(await differencesFor(pairs, ['anonymous', 'outsider'])).toEqual([]);
  });

  it('hides draft notes of other users', async () => {
    const drafts = `${project}/merge_requests/${hidden.mr}/draft_notes`;
    const pairs = below(`${drafts}/${hidden.draft}`, `${drafts}/${nobody}`, ['GET ', 'DELETE ']);
    expect(await differencesFor(pairs, ['outsider', 'reporter'])).toEqual([]);
  });
});

describe('records with a global id', () => {
  it('is hidden if its project is, or its user', async () => {
    const [outsider, owner] = [await newUser(), await newUser()];
    const make = (path: string, body: object = {}) => send(owner.token, 'POST', path, body);
    const name = uniqueName('closed');
    const { id } = await make('/projects', { name, visibility: 'private' });
    const runner = await make('/user/runners', { runner_type: 'project_type', project_id: id });
    const { iid } = await make(`/projects/${id}/issues`, { title: 'x' });
    const todo = await make(`/projects/${id}/issues/${iid}/todo`);
    const email = await make('/user/emails', { email: `${uniqueName('second')}@example.com` });
    const personal = { name: 'x', scopes: ['read_api'], expires_at: '2099-01-01' };
    const token = await asRoot('POST', `/users/${owner.id}/personal_access_tokens`, personal);
    const suggestion = await makeSuggestion(make, `/projects/${id}`);
    const pairs = [
      ...below(`/suggestions/${suggestion}`, `/suggestions/${nobody}`, ['PUT /apply']),
      ...below(`/runners/${runner.id}`, `/runners/${nobody}`, [
        'GET ',
        'GET /jobs',
        ['PUT ', { paused: true }],
        'DELETE ',
      ]),
      ...below(`/todos/${todo.id}`, `/todos/${nobody}`, ['POST /mark_as_done']),
      ...below(`/user/emails/${email.id}`, `/user/emails/${nobody}`, ['GET ', 'DELETE ']),
      ...below(`/personal_access_tokens/${token.id}`, `/personal_access_tokens/${nobody}`, [
        ...['GET ', 'DELETE ', 'POST /rotate'],
      ]),
    ];
    expect(await differencesOf(pairs, { 'private-token': outsider.token })).toEqual([]);
    expect(await differencesOf(pairs)).toEqual([]);
  });
});

/** @returns the id of a suggestion on a merge request */
async function makeSuggestion(make: ReturnType<typeof makerBelow>, project: string): Promise<unknown> {
  const actions = [{ action: 'create', file_path: 'x', content: 'x\n' }];
  await make(`${project}/repository/commits`, { branch: 'main', commit_message: 'x', actions });
  const change = [{ action: 'update', file_path: 'x', content: 'y\n' }];
  const commit = { branch: 'topic', start_branch: 'main', commit_message: 'x', actions: change };
  await make(`${project}/repository/commits`, commit);
  const mr = await make(`${project}/merge_requests`, { title: 'x', source_branch: 'topic', target_branch: 'main' });
  const { base_sha, start_sha, head_sha } = mr.diff_refs as Record<string, string>;
  const position = { base_sha, start_sha, head_sha, position_type: 'text', new_path: 'x', new_line: 1 };
  const body = '```suggestion\nz\n```';
  const { notes } = await make(`${project}/merge_requests/${mr.iid}/discussions`, { body, position });
  return (notes as { suggestions: { id: number }[] }[])[0]!.suggestions[0]!.id;
}

describe('a caller with the token of a project, of a deployment or of a job', () => {
  const asks = [
    ...['GET ', 'GET /issues', 'GET /repository/tree', 'GET /repository/branches', 'GET /releases', 'GET /packages'],
    ...['GET /packages/generic/app/1.0/a.txt', 'GET /jobs/artifacts/main/download?job=x', 'GET /pipelines/1'],
    ...['GET /registry/repositories', 'GET /members', 'GET /hooks', 'DELETE ', 'POST /fork', 'POST /star'],
  ];
  const basic = (name: string, secret: string) => ({
    authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`,
  });

  it('sees other projects like an anonymous caller', async () => {
    const owner = await newUser();
    const make = (path: string, body: object = {}) => send(owner.token, 'POST', path, body);
    const job = { ask: { script: ['echo'] } };
    const newProject = async () => {
      const body = { name: uniqueName('token'), visibility: 'private', initialize_with_readme: true };
      const { id, path_with_namespace } = await make('/projects', body);
      return { id: Number(id), path: String(path_with_namespace) };
    };
    const [own, other] = [await newProject(), await newProject()];
    const project = `/projects/${own.id}`;
    await send(owner.token, 'PUT', `/projects/${other.id}/packages/generic/app/1.0/a.txt`, fileNamed('a.txt'));
    const ofProject = { name: 'x', scopes: ['api'], access_level: 40, expires_at: '2099-01-01' };
    const access = await make(`${project}/access_tokens`, ofProject);
    const scopes = ['read_repository', 'read_package_registry'];
    const deploy = await make(`${project}/deploy_tokens`, { name: 'x', scopes });
    const { token } = await make('/user/runners', { ...{ runner_type: 'project_type', project_id: own.id } });
    await make(`${project}/repository/commits`, {
      ...{ branch: 'main', commit_message: 'ci' },
      actions: [{ action: 'create', file_path: '.gitlab-ci.yml', content: JSON.stringify(job) }],
    });
    const running = await takeJob(String(token));

    const missing = { id: nobody, path: `${other.path}-none` };
    const pairs = [
      ...below(`/projects/${other.id}`, `/projects/${missing.id}`, asks),
      ...below(`/projects/${encodeURIComponent(other.path)}`, `/projects/${encodeURIComponent(missing.path)}`, asks),
    ];
    const bearers = {
      project: { 'private-token': String(access.token) },
      deploy: { 'deploy-token': String(deploy.token) },
      job: { 'job-token': running },
    };
    for (const [kind, headers] of Object.entries(bearers))
      expect([kind, await differencesOf(pairs, headers)]).toEqual([kind, []]);

    const git: Pair[] = ['git-upload-pack', 'git-receive-pack'].map((service) => [
      ...(['GET', `/${other.path}.git/info/refs?service=${service}`] as const),
      `/${missing.path}.git/info/refs?service=${service}`,
    ]);
    const batch = { operation: 'download', objects: [] };
    git.push([
      'POST',
      ...([other, missing].map(({ path }) => `/${path}.git/info/lfs/objects/batch`) as [string, string]),
      batch,
    ]);
    const signIns = {
      project: basic('x', String(access.token)),
      deploy: basic(String(deploy.username), String(deploy.token)),
      job: basic('gitlab-ci-token', running),
      nobody: {},
    };
    for (const [kind, headers] of Object.entries(signIns))
      expect([kind, await differencesOf(git, headers)]).toEqual([kind, []]);
  });
});

/** @returns the token of a job that a runner has picked up */
const takeJob = (token: string): Promise<string> =>
  until('a job', async () => {
    const headers = { 'content-type': 'application/json' };
    const response = await ask('/api/v4/jobs/request', { method: 'POST', headers, body: JSON.stringify({ token }) });
    const text = await response.text();
    return response.status === 201 ? (JSON.parse(text) as { token: string }).token : undefined;
  });
