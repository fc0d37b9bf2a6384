import { operations, writtenRoute } from '@moothall/contracts';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test';

interface Answer {
  description?: string;
  $ref?: string;
  content?: Record<string, { schema?: object; examples?: object }>;
}

interface Documented {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters: { name: string; in: string; description?: string }[];
  requestBody?: { content: Record<string, { schema: { properties?: Record<string, { description?: string }> } }> };
  responses: Record<string, Answer>;
}

interface Document {
  openapi: string;
  paths: Record<string, Record<string, Documented>>;
  components: { examples: Record<string, object>; responses: Record<string, Answer> };
  'x-tagGroups': { name: string; tags: string[] }[];
}

let gateway: GatewayUnderTest;
let document: Document;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  document = (await (await gateway.fetch('/api/v4/openapi.json')).json()) as Document;
}, 120_000);
afterAll(() => gateway.stop());

const shapeOf = (path: string): string => path.replaceAll(/:\w+|\{\w+\}/g, '{}');

const documented = (method: string, path: string): Documented => document.paths[path]![method]!;

it('documents every route of every operation, with its answer', () => {
  expect(document.openapi).toBe('3.1.0');
  const byShape = new Map(Object.entries(document.paths).map(([path, methods]) => [shapeOf(path), methods]));
  for (const operation of operations) {
    for (const route of operation.routes) {
      const path = shapeOf(writtenRoute({ ...route, when: undefined }));
      const one = byShape.get(path)?.[route.method.toLowerCase()];
      const words = route.when ? one?.description : one?.summary;
      expect([operation.name, words, one?.responses[route.success]]).toEqual([
        operation.name,
        expect.stringContaining(operation.summary as string),
        expect.any(Object),
      ]);
    }
  }
});

it('describes operations that share a path as one', () => {
  const { operationId, parameters, responses } = documented('get', '/api/v4/projects/{id}/search');
  expect(operationId).toBe('project-search');
  expect(parameters.find(({ name }) => name === 'scope')).toMatchObject({
    in: 'query',
    schema: { enum: expect.arrayContaining(['issues', 'blobs', 'notes']) },
  });
  expect(responses['200']!.content!['application/json']!.schema).toMatchObject({
    items: { anyOf: expect.arrayContaining([{ $ref: '#/components/schemas/Issue' }]) },
  });
});

it('accepts ids of projects as integers and as text', () => {
  const [id] = documented('get', '/api/v4/projects/{id}').parameters;
  expect(id).toMatchObject({ name: 'id', in: 'path', schema: { type: ['integer', 'string'] } });
});

it('describes header parameters and raw bodies', () => {
  const { parameters, requestBody } = documented('patch', '/api/v4/jobs/{id}/trace');
  expect(parameters.filter((one) => one.in === 'header').map(({ name }) => name)).toEqual([
    'JOB-TOKEN',
    'Content-Range',
  ]);
  expect(Object.keys(requestBody!.content)).toEqual(['application/octet-stream']);
});

it('is sent compressed, and answers 304 to clients that have it', async () => {
  const compressed = await gateway.fetch('/api/v4/openapi.json');
  const etag = compressed.headers.get('etag')!;
  expect([compressed.headers.get('content-encoding'), etag]).toEqual(['gzip', expect.stringMatching(/^W\//)]);
  const again = await gateway.fetch('/api/v4/openapi.json', { headers: { 'if-none-match': etag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
  const plain = await gateway.fetch('/api/v4/openapi.json', { headers: { 'accept-encoding': 'gzip;q=0' } });
  expect([plain.headers.get('content-encoding'), await plain.json()]).toEqual([null, document]);
});

it('describes every parameter', () => {
  const all = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const silent = all.flatMap((one) => [
    ...one.parameters.filter(({ description }) => !description).map(({ name }) => `${one.summary}: ${name}`),
    ...Object.values(one.requestBody?.content ?? {}).flatMap(({ schema }) =>
      Object.entries(schema.properties ?? {})
        .filter(([, { description }]) => !description)
        .map(([name]) => `${one.summary}: ${name}`),
    ),
  ]);
  expect(silent).toEqual([]);
});

it('puts every operation into one area', () => {
  const used = Object.values(document.paths).flatMap((methods) => Object.values(methods).flatMap(({ tags }) => tags));
  const grouped = document['x-tagGroups'].flatMap(({ tags }) => tags);
  expect([...grouped].sort()).toEqual([...new Set(used)].sort());
});

it('names the required rights and the errors', () => {
  const { description, responses } = documented('post', '/api/v4/projects/{id}/repository/branches');
  expect(description).toBe('**Who:** Developer or more in the project.\n\n**Token scopes:** `api`.');
  expect(Object.keys(responses)).toEqual(expect.arrayContaining(['201', '400', '401', '403', '404']));
  const { $ref } = responses['400'] as { $ref: string };
  const refused = document.components.responses[$ref.replace('#/components/responses/', '')]!;
  expect(refused.content!['application/json']!.examples).toMatchObject({
    'git.branch_exists': { $ref: '#/components/examples/git.branch_exists' },
  });
  expect(document.components.examples['git.branch_exists']).toMatchObject({
    value: { message: 'Branch already exists' },
  });
});

it('distinguishes pages from data', () => {
  const contentOf = (method: string, path: string) =>
    Object.keys(documented(method, path).responses['200']!.content ?? {});
  expect(contentOf('get', '/oauth/authorize')).toEqual(['text/html']);
  expect(contentOf('get', '/users/sign_in')).toEqual(['text/html']);
  expect(contentOf('post', '/oauth/token')).toEqual(['application/json']);
});

it.each(['constructor', '__proto__', 'toString', 'index.html.gz', '..%2fopenapi.js', 'package.json'])(
  'has no asset %s, and continues to answer',
  async (asset) => {
    const response = await gateway.fetch(`/-/reference/${asset}`);
    expect([response.status, await response.json()]).toEqual([404, { error: '404 Not Found' }]);
    expect((await gateway.fetch('/-/reference')).status).toBe(200);
  },
);

it.each(['/-/reference', '/-/reference/merge-requests'])('serves %s with all its resources', async (address) => {
  const response = await gateway.fetch(address);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'self';/);
  const loaded = [...(await response.text()).matchAll(/(?:src|link rel="stylesheet" href)="([^"]+)"/g)];
  expect(loaded.length).toBeGreaterThan(1);
  for (const [, asset = ''] of loaded) {
    const { status, headers } = await gateway.fetch(asset);
    expect([asset, status, headers.get('content-type')]).toEqual([
      asset,
      200,
      expect.stringMatching(/^text\/(css|javascript)/),
    ]);
  }
});

it('has a document for each area without unresolved references', async () => {
  let operationsShown = 0;
  for (const { name } of document['x-tagGroups']) {
    const address = `/-/reference/${name.toLowerCase().replaceAll(/\W+/g, '-')}.json`;
    const area = (await (await gateway.fetch(address)).json()) as Document & { components: Record<string, object> };
    operationsShown += Object.values(area.paths).flatMap((methods) => Object.values(methods)).length;
    const references = [...JSON.stringify(area).matchAll(/"\$ref":"#\/components\/([^/"]+)\/([^"]+)"/g)];
    const lost = references.filter(([, kind = '', component = '']) => !(component in (area.components[kind] ?? {})));
    expect([address, lost]).toEqual([address, []]);
  }
  expect(operationsShown).toBe(Object.values(document.paths).flatMap((methods) => Object.values(methods)).length);
});
