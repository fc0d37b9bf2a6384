import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { ConnectionPools } from '../src';

let server: Server;
let url: string;
let connections = 0;

beforeAll(async () => {
  server = createServer((asked, answer) => {
    if (asked.url === '/last') answer.setHeader('connection', 'close');
    answer.end('x');
  });
  // Neither side closes a connection for having waited.
  server.keepAliveTimeout = 0;
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it('uses its connections again, also after some were closed', async () => {
  const pools = new ConnectionPools({ keepAliveTimeout: 600_000 });
  const ask = async (path: string) => (await request(`${url}${path}`, { dispatcher: pools.to(url) })).body.text();
  for (const path of ['/', '/last', '/', '/last', '/', '/last', '/last']) await ask(path);
  connections = 0;
  for (let count = 0; count < 100; count++) expect(await ask('/')).toBe('x');
  expect(connections).toBeLessThan(5);
});

it('separates the servers', () => {
  const pools = new ConnectionPools({});
  expect(pools.to(`${url}/one`)).toBe(pools.to(`${url}/other?query`));
  expect(pools.to(url)).not.toBe(pools.to('http://127.0.0.1:9/one'));
});
