import fc from 'fast-check';
import { type GraphqlUnderTest, startGraphqlUnderTest } from './graphql-under-test';

/* GraphQL in the gateway, with stub services that answer by their contracts. */

let graphql: GraphqlUnderTest;
beforeAll(async () => {
  graphql = await startGraphqlUnderTest();
});
afterAll(() => graphql?.stop());
beforeEach(() => {
  graphql.calls.length = 0;
});

const ask: GraphqlUnderTest['ask'] = (...request) => graphql.ask(...request);

it('answers by the caller, and calls an operation once for two equal fields', async () => {
  const { status, body } = await ask(
    '{ currentUser { id username webPath } again: currentUser { name } queryComplexity { score limit } }',
  );
  expect([status, body.data.currentUser]).toEqual([
    200,
    { id: 'gid://gitlab/User/7', username: 'ada', webPath: '/ada' },
  ]);
  expect(body.data.queryComplexity).toEqual({ score: 9, limit: 250 });
  expect(graphql.calls).toEqual(['user']);
});

it('accepts queries in the URL and in forms', async () => {
  const query = new URLSearchParams({
    query: 'query Q($p: ID!) { project(fullPath: $p) { name } }',
    variables: '{"p":"group/open"}',
  });
  const expected = { data: { project: { name: 'group/open' } } };
  expect(await (await graphql.gateway.fetch(`/api/graphql?${query}&operationName=Q`)).json()).toEqual(expected);
  expect(await (await graphql.gateway.fetch('/api/graphql', { method: 'POST', body: query })).json()).toEqual(expected);
});

it('returns null for records that do not exist or that the caller may not see', async () => {
  const query = `{ currentUser { id } a: project(fullPath: "tools/none") { id } b: project(fullPath: "group/hidden") { id }
    c: project(fullPath: "11") { id } d: project(fullPath: "") { id } metadata { version } users(search: "a") { count } }`;
  expect((await graphql.gateway.fetch(`/api/graphql?${new URLSearchParams({ query })}`)).status).toBe(200);
  const { body } = await ask(query, '');
  expect(body).toEqual({
    data: { currentUser: null, a: null, b: null, c: null, d: null, metadata: null, users: { count: 0 } },
  });
});

it('pages lists by cursors', async () => {
  const query =
    'query ($n: Int, $after: String) { projects(first: $n, after: $after) { count nodes { fullPath } pageInfo { endCursor hasNextPage } } }';
  const first = (await ask(query, 'ada-token', { n: 30 })).body.data.projects;
  expect([first.count, first.nodes.length, first.pageInfo.hasNextPage]).toEqual([250, 30, true]);
  const rest = (await ask(query, 'ada-token', { n: 100, after: first.pageInfo.endCursor })).body.data.projects;
  expect([rest.nodes[0].fullPath, rest.nodes.at(-1).fullPath]).toEqual(['tools/p31', 'tools/p130']);
  expect(graphql.calls).toEqual(['projects 1 30', 'projects 1 100', 'projects 2 100']);
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
  expect(graphql.calls.filter((what) => what.startsWith('merge'))).toEqual([]);
});

describe('a change', () => {
  const create = (path: string, more = '') =>
    `mutation { iterationCreate(input: {groupPath: "${path}" clientMutationId: "m" title: "One" startDate: "2026-06-01" dueDate: "2026-06-07"${more}}) {
      clientMutationId errors iteration { id iid title state webPath } } }`;
  const noAccess = { message: expect.stringMatching(/does not exist or you don't have permission/) };

  it('runs once for each field, and later fields do not use earlier answers', async () => {
    const mutation = `mutation { a: ${create('tools').slice(11, -2)} b: ${create('tools').slice(11, -2)} }`;
    const [{ data }, second] = (
      await ask([{ query: mutation }, { query: '{ currentUser { id } }' }, { query: create('tools') }])
    ).body;
    const iteration = { id: 'gid://gitlab/Iteration/5', iid: '2', title: 'One', state: 'current', webPath: '/x' };
    expect(data.a).toEqual({ clientMutationId: 'm', errors: [], iteration });
    expect(data.b).toEqual(data.a);
    expect(second.data.currentUser).not.toBeNull();
    expect(graphql.calls).toEqual(['made in tools', 'made in tools', 'user', 'made in tools']);
  });

  it('explains invalid input', async () => {
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
    expect(graphql.calls.filter((what) => !what.startsWith('project'))).toEqual([]);
  });

  it('needs a token that may change something, and a body', async () => {
    expect((await ask(create('tools'), 'reader-token')).body.errors[0].message).toMatch(/scope api/);
    expect((await ask(create('tools'), '')).body.errors).toEqual([expect.objectContaining(noAccess)]);
    const query = new URLSearchParams({ query: create('tools') });
    const answer = await graphql.gateway.fetch(`/api/graphql?${query}`, { token: 'ada-token' });
    expect(await answer.json()).toEqual({ errors: [{ message: 'Mutations are forbidden in GET requests' }] });
    expect(graphql.calls).toEqual([]);
  });
});

it.each([
  ['nothing', {}],
  ['a number', { query: 7 }],
  ['too much', { query: `{ currentUser { id } } #${'x'.repeat(10_000)}` }],
  ['variables that are none', { query: '{ __typename }', variables: [1] }],
  ['a body that is none', '{'],
])('answers 400 to %s', async (_what, body) => {
  const response = await graphql.gateway.fetch('/api/graphql', {
    ...{ method: 'POST', token: 'ada-token', body: typeof body === 'string' ? body : JSON.stringify(body) },
    headers: { 'content-type': 'application/json' },
  });
  expect([response.status, await response.json()]).toEqual([400, { errors: [{ message: expect.any(String) }] }]);
});

it('reads no more than a megabyte, and no files', async () => {
  const send = (type: string, body: string) =>
    graphql.gateway.fetch('/api/graphql', { method: 'POST', headers: { 'content-type': type }, body });
  const long = JSON.stringify({ query: '{ __typename }', variables: { x: 'x'.repeat(1024 * 1024) } });
  expect((await send('application/json', long)).status).toBe(413);
  expect((await send('multipart/form-data; boundary=x', '--x--')).status).toBe(415);
});

it('accepts ten queries in one request, and adds up their complexity', async () => {
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
  // The same long text 250 times costs one call, but is a large response.
  const aliases = Array.from({ length: 240 }, (_, n) => `d${n}: description`).join(' ');
  const { body } = await ask(
    `{ projects(first: 100) { nodes { id } } project(fullPath: "group/open") { ${aliases} } }`,
  );
  expect(Object.keys(body.data?.project ?? {}).length + (body.errors?.length ?? 0)).toBeGreaterThan(0);
});

it('answers random queries', async () => {
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
