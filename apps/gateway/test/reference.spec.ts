import { operations } from '@moothall/contracts';
import { shownPath } from '../src/reference/openapi';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test';

interface Documented {
  summary: string;
  description: string;
  tags: string[];
  parameters: { name: string; description?: string }[];
  requestBody?: { content: Record<string, { schema: { properties: Record<string, { description?: string }> } }> };
  responses: Record<string, { description: string; content?: Record<string, { examples?: object }> }>;
}

interface Document {
  openapi: string;
  paths: Record<string, Record<string, Documented>>;
  'x-tagGroups': { name: string; tags: string[] }[];
}

let gateway: GatewayUnderTest;
let document: Document;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  document = (await (await gateway.fetch('/api/v4/openapi.json')).json()) as Document;
}, 120_000);
afterAll(() => gateway.stop());

const documented = (method: string, path: string): Documented => document.paths[path]![method]!;

it('documents every route of every operation, with its answer', () => {
  expect(document.openapi).toBe('3.1.0');
  for (const operation of operations) {
    for (const route of operation.routes) {
      const one = document.paths[shownPath(route)]?.[route.method.toLowerCase()];
      expect([operation.name, one?.summary, one?.responses[route.success]]).toEqual([
        operation.name,
        operation.summary,
        expect.any(Object),
      ]);
    }
  }
});

it('says of every parameter what it means', () => {
  const all = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const silent = all.flatMap((one) => [
    ...one.parameters.filter(({ description }) => !description).map(({ name }) => `${one.summary}: ${name}`),
    ...Object.values(one.requestBody?.content ?? {}).flatMap(({ schema }) =>
      Object.entries(schema.properties)
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

it('says who may, and what is refused', () => {
  const { description, responses } = documented('post', '/api/v4/projects/{id}/repository/branches');
  expect(description).toBe('**Who:** Developer or more in the project.\n\n**Token scopes:** `api`.');
  expect(Object.keys(responses)).toEqual(expect.arrayContaining(['201', '400', '401', '403', '404']));
  expect(responses['400']!.content!['application/json']!.examples).toMatchObject({
    'git.branch_exists': { value: { message: 'Branch already exists' } },
  });
});

it('tells pages from data', () => {
  const contentOf = (method: string, path: string) =>
    Object.keys(documented(method, path).responses['200']!.content ?? {});
  expect(contentOf('get', '/oauth/authorize')).toEqual(['text/html']);
  expect(contentOf('get', '/users/sign_in')).toEqual(['text/html']);
  expect(contentOf('post', '/oauth/token')).toEqual(['application/json']);
});

it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'package.json', '..%2fpackage.json'])(
  'has no asset %s, and goes on answering',
  async (asset) => {
    const response = await gateway.fetch(`/-/reference/${asset}`);
    expect([response.status, await response.json()]).toEqual([404, { error: '404 Not Found' }]);
    expect((await gateway.fetch('/-/reference')).status).toBe(200);
  },
);

it('serves a page that can try calls, from this server alone', async () => {
  const response = await gateway.fetch('/-/reference');
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'self';/);
  const assets = [...(await response.text()).matchAll(/src="([^"]+)"/g)].map((match) => match[1]!);
  expect(assets).toHaveLength(2);
  for (const asset of assets) {
    const script = await gateway.fetch(asset);
    expect([asset, script.status, await script.text()]).toEqual([
      asset,
      200,
      expect.stringContaining('createApiReference'),
    ]);
  }
}, 120_000);
