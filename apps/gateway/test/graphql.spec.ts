import {
  Access,
  commonErrors,
  createIteration,
  getCurrentUser,
  getGroup,
  getMetadata,
  getProject,
  iterationErrors,
  iterationStates,
  listProjectMergeRequests,
  listProjects,
  listUsers,
  type Operation,
  type OutputOf,
} from '@moothall/contracts';
import { callerNamed, groupNamed, projectNamed, sample } from '@moothall/testing';
import fc from 'fast-check';
import type { z } from 'zod';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test';

/* GraphQL in the gateway, with services that answer as their contracts say. */

let gateway: GatewayUnderTest;
const open = projectNamed('open', { id: 11, visibility: 'public' });
const hidden = projectNamed('hidden', { id: 12, visibility: 'private', accessLevel: Access.None });
let asked: string[] = [];

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  gateway.knowCaller('ada-token', callerNamed('ada'));
  gateway.knowCaller('reader-token', callerNamed('reader', { scopes: ['read_api'] }));
  gateway.knowCaller('profile-token', callerNamed('profile', { scopes: ['read_user'] }));
  gateway.knowCaller('job-token', callerNamed('job', { credential: 'job_token' }));
  gateway.knowProject(open);
  gateway.knowProject(hidden);
  const { stubs } = gateway;
  const note = (what: string) => asked.push(what);
  stubs.respond(getCurrentUser, (_input, { caller }) => {
    note('user');
    return { ...filled(getCurrentUser), id: 7, username: caller!.username, web_url: 'http://m.test/ada' };
  });
  stubs.respond(getMetadata, () => ({ ...filled(getMetadata), version: '13.6.0' }));
  stubs.respond(getProject, ({ id }, { project }) => {
    note(`project ${id}`);
    return { ...projectView(project!.id, project!.fullPath), description: 'x'.repeat(1000) };
  });
  for (const [name, accessLevel] of [
    ['tools', Access.Owner],
    ['taken', Access.Owner],
    ['guests', Access.Guest],
  ] as const)
    gateway.knowGroup(groupNamed(name, { accessLevel, visibility: 'public' }));
  stubs.respond(getGroup, (_input, { group }) =>
    group!.fullPath === 'away'
      ? commonErrors.unavailable()
      : { ...filled(getGroup), id: group!.id, full_path: group!.fullPath },
  );
  gateway.knowGroup(groupNamed('away', { visibility: 'public' }));
  stubs.respond(createIteration, (_input, { group }) => {
    if (group!.fullPath === 'taken') return iterationErrors.overlaps();
    note(`made in ${group!.fullPath}`);
    const iteration = { id: 5, iid: 2, title: 'One', state: iterationStates.current, web_url: 'http://m.test/x' };
    return { ...filled(createIteration), ...iteration };
  });
  stubs.respond(listProjects, ({ page = 1, per_page = 20 }) => {
    note(`projects ${page} ${per_page}`);
    const all = Array.from({ length: 250 }, (_, n) => projectView(n + 1, `tools/p${n + 1}`));
    return { items: all.slice((page - 1) * per_page, page * per_page), total: all.length };
  });
  stubs.respond(listProjectMergeRequests, ({ id, iids }) => {
    note(`merge requests of ${id} ${iids ?? ''}`);
    return { items: [], total: 0 };
  });
  stubs.respond(listUsers, () => ({ items: [], total: 0 }));
});
afterAll(() => gateway?.stop());
beforeEach(() => {
  asked = [];
});

/** Something of the form that the contract says. */
const filled = <T extends Operation>({ output }: T) => sample(output as z.ZodType) as OutputOf<T> & object;

const projectView = (id: number, path_with_namespace: string) => ({
  ...filled(getProject),
  ...{ id, path_with_namespace, name: path_with_namespace, default_branch: 'main', star_count: 0, forks_count: 0 },
  ...{
    visibility: 'public' as const,
    topics: [],
    namespace: sample(getProject.output.shape.namespace) as OutputOf<typeof getProject>['namespace'],
  },
});

async function ask(query: unknown, token = 'ada-token', variables?: unknown) {
  const body = JSON.stringify(Array.isArray(query) ? query : { query, variables });
  const headers = { 'content-type': 'application/json' };
  const response = await gateway.fetch('/api/graphql', { method: 'POST', body, headers, token });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

it('answers who asks, and what is asked twice once', async () => {
  const { status, body } = await ask(
    '{ currentUser { id username webPath } again: currentUser { name } queryComplexity { score limit } }',
  );
  expect([status, body.data.currentUser]).toEqual([
    200,
    { id: 'gid://gitlab/User/7', username: 'ada', webPath: '/ada' },
  ]);
  expect(body.data.queryComplexity).toEqual({ score: 9, limit: 250 });
  expect(asked).toEqual(['user']);
});

it('takes questions in addresses and forms, too', async () => {
  const query = new URLSearchParams({
    query: 'query Q($p: ID!) { project(fullPath: $p) { name } }',
    variables: '{"p":"group/open"}',
  });
  const expected = { data: { project: { name: 'group/open' } } };
  expect(await (await gateway.fetch(`/api/graphql?${query}&operationName=Q`)).json()).toEqual(expected);
  expect(await (await gateway.fetch('/api/graphql', { method: 'POST', body: query })).json()).toEqual(expected);
});

it('answers null for what is not there, and for what is not for who asks', async () => {
  const query = `{ currentUser { id } a: project(fullPath: "tools/none") { id } b: project(fullPath: "group/hidden") { id }
    c: project(fullPath: "11") { id } d: project(fullPath: "") { id } metadata { version } users(search: "a") { count } }`;
  expect((await gateway.fetch(`/api/graphql?${new URLSearchParams({ query })}`)).status).toBe(200);
  const { body } = await ask(query, '');
  expect(body).toEqual({
    data: { currentUser: null, a: null, b: null, c: null, d: null, metadata: null, users: { count: 0 } },
  });
});

it('walks lists by cursors', async () => {
  const query =
    'query ($n: Int, $after: String) { projects(first: $n, after: $after) { count nodes { fullPath } pageInfo { endCursor hasNextPage } } }';
  const first = (await ask(query, 'ada-token', { n: 30 })).body.data.projects;
  expect([first.count, first.nodes.length, first.pageInfo.hasNextPage]).toEqual([250, 30, true]);
  const rest = (await ask(query, 'ada-token', { n: 100, after: first.pageInfo.endCursor })).body.data.projects;
  expect([rest.nodes[0].fullPath, rest.nodes.at(-1).fullPath]).toEqual(['tools/p31', 'tools/p130']);
  expect(asked).toEqual(['projects 1 30', 'projects 1 100', 'projects 2 100']);
});

it.each([
  ['without a token', '', 200],
  ['with read_api', 'reader-token', 200],
  ['with another scope', 'profile-token', 403],
  ['of a job', 'job-token', 403],
  ['with a token that nobody has', 'nobodys-token', 401],
])('%s', async (_who, token, status) => {
  const answer = await ask('{ __typename }', token);
  expect(answer.status).toBe(status);
  if (status !== 200) expect(answer.body).toEqual({ errors: [{ message: expect.any(String) }] });
});

it.each([
  ['that is none', '{ nope', /Syntax Error/],
  ['for fields that are not there', '{ nope }', /Cannot query field "nope"/],
  ['that changes something else', 'mutation { createNote { id } }', /createNote/],
  ['with a wrong type', '{ project(fullPath: {}) { id } }', /ID cannot represent/],
  ['with a cursor that is none', '{ projects(after: "zz") { count } }', /Invalid cursor/],
  ['for less than nothing', '{ projects(first: -1) { count } }', /0 or more/],
  ['for several of which none is named', 'query A { __typename } query B { __typename }', /operation name/],
  [
    'for lists in lists',
    '{ projects { nodes { mergeRequests { nodes { iid } } issues { count } } } }',
    /too many records/,
  ],
  [
    'of much',
    `{ ${Array.from({ length: 251 }, (_, n) => `a${n}: queryComplexity { score }`).join(' ')} }`,
    /complexity of 502/,
  ],
  ['for too many names', `{ users(usernames: [${'"a",'.repeat(21)}]) { count } }`, /At most 20/],
  ['of a service that is away', '{ group(fullPath: "away") { id } }', null],
])('refuses a question %s in words', async (_what, query, message) => {
  const { status, body } = await ask(query);
  expect(status).toBe(200);
  if (message) expect(body.errors[0].message).toMatch(message);
  expect(asked.filter((what) => what.startsWith('merge'))).toEqual([]);
});

describe('a change', () => {
  const create = (path: string, more = '') =>
    `mutation { iterationCreate(input: {groupPath: "${path}" clientMutationId: "m" title: "One" startDate: "2026-06-01" dueDate: "2026-06-07"${more}}) {
      clientMutationId errors iteration { id iid title state webPath } } }`;
  const noAccess = { message: expect.stringMatching(/does not exist or you don't have permission/) };

  it('is done as often as it is asked for, and what was asked before it is asked anew', async () => {
    const mutation = `mutation { a: ${create('tools').slice(11, -2)} b: ${create('tools').slice(11, -2)} }`;
    const [{ data }, second] = (
      await ask([{ query: mutation }, { query: '{ currentUser { id } }' }, { query: create('tools') }])
    ).body;
    const iteration = { id: 'gid://gitlab/Iteration/5', iid: '2', title: 'One', state: 'current', webPath: '/x' };
    expect(data.a).toEqual({ clientMutationId: 'm', errors: [], iteration });
    expect(data.b).toEqual(data.a);
    expect(second.data.currentUser).not.toBeNull();
    expect(asked).toEqual(['made in tools', 'made in tools', 'user', 'made in tools']);
  });

  it('says what was wrong with what was given', async () => {
    const { body } = await ask(create('tools').replace('2026-06-07', '2026-06-00'));
    expect(body.data.iterationCreate).toMatchObject({ iteration: null, errors: [expect.stringMatching(/due_date/)] });
    const taken = (await ask(create('taken'))).body;
    expect(taken.data.iterationCreate).toMatchObject({ errors: [expect.stringMatching(/^Dates cannot overlap/)] });
  });

  it.each([
    ['in a group that is not there', create('none')],
    ['in a group where they are no reporters', create('guests')],
    ['in a cadence of another kind', create('tools', ' iterationsCadenceId: "gid://gitlab/Project/1"')],
    [
      'of an issue that is none',
      'mutation { issueSetIteration(input: {projectPath: "group/open" iid: "x"}) { errors } }',
    ],
    ['of what is no iteration', 'mutation { iterationDelete(input: {id: "gid://gitlab/User/7"}) { errors } }'],
  ])('%s is not done', async (_what, query) => {
    const { body } = await ask(query);
    expect(body.errors).toEqual([expect.objectContaining(noAccess)]);
    expect(asked.filter((what) => !what.startsWith('project'))).toEqual([]);
  });

  it('needs a token that may change something, and a body', async () => {
    expect((await ask(create('tools'), 'reader-token')).body.errors[0].message).toMatch(/scope api/);
    expect((await ask(create('tools'), '')).body.errors).toEqual([expect.objectContaining(noAccess)]);
    const query = new URLSearchParams({ query: create('tools') });
    const answer = await gateway.fetch(`/api/graphql?${query}`, { token: 'ada-token' });
    expect(await answer.json()).toEqual({ errors: [{ message: 'Mutations are forbidden in GET requests' }] });
    expect(asked).toEqual([]);
  });
});

it.each([
  ['nothing', {}],
  ['a number', { query: 7 }],
  ['too much', { query: `{ currentUser { id } } #${'x'.repeat(10_000)}` }],
  ['variables that are none', { query: '{ __typename }', variables: [1] }],
  ['a body that is none', '{'],
])('answers 400 to %s', async (_what, body) => {
  const response = await gateway.fetch('/api/graphql', {
    ...{ method: 'POST', token: 'ada-token', body: typeof body === 'string' ? body : JSON.stringify(body) },
    headers: { 'content-type': 'application/json' },
  });
  expect([response.status, await response.json()]).toEqual([400, { errors: [{ message: expect.any(String) }] }]);
});

it('reads no more than a megabyte, and no files', async () => {
  const send = (type: string, body: string) =>
    gateway.fetch('/api/graphql', { method: 'POST', headers: { 'content-type': type }, body });
  const long = JSON.stringify({ query: '{ __typename }', variables: { x: 'x'.repeat(1024 * 1024) } });
  expect((await send('application/json', long)).status).toBe(413);
  expect((await send('multipart/form-data; boundary=x', '--x--')).status).toBe(415);
});

it('takes ten questions in one request, and counts them together', async () => {
  const { body } = await ask(Array.from({ length: 10 }, (_, n) => ({ query: `{ a${n}: currentUser { id } }` })));
  expect(body).toHaveLength(10);
  expect(body[9]).toEqual({ data: { a9: { id: 'gid://gitlab/User/7' } } });
  expect((await ask(Array.from({ length: 11 }, () => ({ query: '{ __typename }' })))).status).toBe(400);
  const many = '{ projects(first: 90) { nodes { mergeRequests(first: 1) { count } } } }';
  const [one, other] = (await ask([{ query: many }, { query: many }])).body;
  expect(one.data.projects.nodes).toHaveLength(90);
  expect(other.errors[0].message).toMatch(/too many records/);
});

it('does not send more than it may', async () => {
  // 250 times the same long text costs one question, and would be a large answer again and again.
  const aliases = Array.from({ length: 240 }, (_, n) => `d${n}: description`).join(' ');
  const { body } = await ask(
    `{ projects(first: 100) { nodes { id } } project(fullPath: "group/open") { ${aliases} } }`,
  );
  expect(Object.keys(body.data?.project ?? {}).length + (body.errors?.length ?? 0)).toBeGreaterThan(0);
});

it('answers whatever it is asked', async () => {
  const name = fc.constantFrom(
    'currentUser',
    'project',
    'projects',
    'nodes',
    'id',
    'first',
    'edges',
    '__schema',
    'x',
    '__proto__',
  );
  const value = fc.constantFrom('1', '-1', '"a"', '$v', 'null', '[1]', '{a: 1}', '1e999', '"\\u0000"');
  const args = fc.oneof(
    fc.constant(''),
    fc.tuple(name, value).map(([key, given]) => `(${key}: ${given})`),
  );
  const { field } = fc.letrec<{ field: string }>((tie) => ({
    field: fc.oneof(
      { depthSize: 'small' },
      name,
      fc
        .tuple(name, args, fc.array(tie('field'), { minLength: 1, maxLength: 3 }))
        .map(([of, given, inner]) => `${of}${given} { ${inner.join(' ')} }`),
    ),
  }));
  const variables = fc.oneof(fc.constant(undefined), fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue()));
  const text = fc.oneof(
    field.map((inner) => `query ($v: Int) { ${inner} }`),
    fc.string({ unit: 'binary', maxLength: 200 }),
  );
  await fc.assert(
    fc.asyncProperty(text, variables, async (query, given) => {
      const { status, body } = await ask(query, 'ada-token', given);
      expect([200, 400]).toContain(status);
      expect(body.errors ?? body.data).toBeDefined();
    }),
    { numRuns: 150 },
  );
});
