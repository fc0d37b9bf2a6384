import { operations } from '@moothall/contracts';
import { pathOf } from '../src/routes/generated-controllers';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
});
afterAll(() => gateway.stop());

it('documents every route of every operation, with its answer', async () => {
  const document = await (await gateway.fetch('/api/v4/openapi.json')).json();
  const { paths, openapi } = document as {
    openapi: string;
    paths: Record<string, Record<string, { responses: object }>>;
  };
  expect(openapi).toBe('3.1.0');
  for (const operation of operations) {
    for (const route of operation.routes) {
      const documented = paths[pathOf(route).replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()];
      expect([operation.name, (documented?.responses as Record<number, object>)?.[route.success]]).toEqual([
        operation.name,
        expect.any(Object),
      ]);
    }
  }
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
  const page = await (await gateway.fetch('/-/reference')).text();
  const assets = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
  expect(assets).toHaveLength(3);
  for (const asset of assets) {
    const response = await gateway.fetch(asset);
    await response.arrayBuffer();
    expect([asset, response.status]).toEqual([asset, 200]);
  }
});
