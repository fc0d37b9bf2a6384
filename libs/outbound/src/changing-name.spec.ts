import dns from 'node:dns/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OutboundBlocked } from './permitted-addresses';
import { sendRequest } from './send-request';

/* A name whose owner answers with a permitted address first, and then with one of the local network. */

let asked: jest.SpyInstance;

/** Answers of successive queries; the last one is repeated. */
const answers = (...addresses: string[]) => {
  let time = 0;
  asked.mockImplementation(async () => [{ address: addresses[Math.min(time++, addresses.length - 1)], family: 4 }]);
};

let server: Server;
let hits = 0;
beforeAll(async () => {
  server = createServer((_, response) => {
    hits += 1;
    response.end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  hits = 0;
  asked = jest.spyOn(dns, 'lookup');
});
afterEach(() => asked.mockRestore());

const send = (allowed: string[], timeoutMs = 60_000) =>
  sendRequest({
    method: 'POST',
    url: new URL(`http://changes.example:${(server.address() as AddressInfo).port}/hook`),
    headers: {},
    body: '{}',
    verifiesTls: true,
    policy: { allowsLocal: false, allowed },
    timeoutMs,
    mostBytes: 1_000,
  });

it('is resolved once: the connection goes to the address that the policy allowed', async () => {
  // An unreachable address (RFC 5737), which counts as public.
  answers('203.0.113.1', '127.0.0.1');
  await expect(send(['203.0.113.1'], 500)).rejects.toThrow();
  expect(asked).toHaveBeenCalledTimes(1);
  expect(hits).toBe(0);
});

it('connects to the address that was checked, though the name resolves to another one later', async () => {
  answers('127.0.0.1', '203.0.113.1');
  expect((await send(['127.0.0.1'])).status).toBe(200);
  expect(asked).toHaveBeenCalledTimes(1);
});

it('is checked by the policy for each request', async () => {
  answers('127.0.0.1', '10.0.0.1');
  await send(['127.0.0.1']);
  await expect(send(['127.0.0.1'])).rejects.toThrow(OutboundBlocked);
  expect(hits).toBe(1);
});

it('of several addresses has only those connected to that are permitted', async () => {
  asked.mockResolvedValue([
    { address: '10.0.0.1', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ]);
  expect((await send(['127.0.0.1'])).status).toBe(200);
  expect(hits).toBe(1);
});
