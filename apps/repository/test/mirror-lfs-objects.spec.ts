import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import {
  defaultApplicationSettings,
  downloadLfsObject,
  listLfsObjects,
  projectRefs,
  readApplicationSettings,
} from '@moothall/contracts';
import { projectNamed, shareBetweenTests } from '@moothall/testing';
import { MirrorLfsObjects } from '../src/mirror/mirror-lfs-objects';
import { startRepositoryService } from './repository-under-test';

/* Mirrors with different answers. apps/e2e/src/repository/lfs.client.ts tests git-lfs with a whole server. */

const under = shareBetweenTests(() => startRepositoryService());
const project = projectNamed('pictures', { lfsEnabled: true });
const contents = new Map(
  ['one', 'two', 'three'].map((text) => [createHash('sha256').update(text).digest('hex'), Buffer.from(text)]),
);
const objects = [...contents]
  .map(([oid, { length: size }]) => ({ oid, size }))
  .sort((a, b) => (a.oid < b.oid ? -1 : 1));

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;
let answer: Handle;
let server: Server;
let asked: string[];
const authorizations = new Set<string | undefined>();
const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const mirror = (name = 'group/pictures') => new URL(`${origin().replace('//', '//who:secret@')}/${name}`);

beforeAll(async () => {
  server = createServer((request, response) => {
    const { method, url = '', headers } = request;
    // The stub delivery service has the bytes.
    if (url.startsWith('/here/')) return response.end(contents.get(url.slice('/here/'.length)));
    asked.push(`${method} ${url}`);
    authorizations.add(headers.authorization);
    return answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { respond } = under;
  respond(readApplicationSettings, () => ({
    ...defaultApplicationSettings,
    allow_local_requests_from_web_hooks_and_services: true,
  }));
  respond(projectRefs, () => [project]);
  respond(listLfsObjects, ({ after = '' }) => objects.filter(({ oid }) => oid > after));
  respond(downloadLfsObject, ({ oid }) => ({ url: `${origin()}/here/${oid}` }));
});
afterAll(() => server.close());
beforeEach(() => {
  asked = [];
  authorizations.clear();
});

const send = (known = '', name?: string, signal = AbortSignal.timeout(10_000)) =>
  under.running.app.get(MirrorLfsObjects).send(project.id, mirror(name), known, signal);
const json = (response: ServerResponse, value: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/vnd.git-lfs+json' }).end(JSON.stringify(value));
const upload = (oid: string, header = {}) => ({ upload: { href: `${origin()}/objects/${oid}`, header } });

/** Has no objects, and stores the received ones. */
const taking =
  (kept: Map<string, Buffer>): Handle =>
  async (request, response) => {
    const body = await buffer(request);
    if (request.method === 'PUT') {
      kept.set(String(request.url).slice('/objects/'.length), body);
      return response.end();
    }
    if (request.url === '/verify') return json(response, {});
    const { objects: wanted } = JSON.parse(body.toString()) as { objects: { oid: string; size: number }[] };
    return json(response, {
      transfer: 'basic',
      objects: wanted.map(({ oid, size }) => ({
        oid,
        size,
        // In the form of the reference implementation.
        actions: {
          ...upload(oid, {
            Authorization: 'Basic given',
            'Transfer-Encoding': 'chunked',
            'Content-Type': 'application/octet-stream',
          }),
          verify: { href: `${origin()}/verify`, header: { Authorization: 'Basic given' } },
        },
      })),
    });
  };

it('sends the objects that the other server requests, and asks again only for new objects', async () => {
  const kept = new Map<string, Buffer>();
  answer = taking(kept);
  const known = await send();
  expect(new Map([...kept].sort())).toEqual(new Map([...contents].sort()));
  expect(asked.filter((line) => line.startsWith('POST'))).toEqual([
    'POST /group/pictures.git/info/lfs/objects/batch',
    ...objects.map(() => 'POST /verify'),
  ]);
  expect(authorizations).toEqual(new Set([`Basic ${Buffer.from('who:secret').toString('base64')}`, 'Basic given']));
  asked = [];
  expect(await send(known)).toBe(known);
  expect(asked).toEqual([]);
});

it('uses the same address with and without .git', async () => {
  answer = (_request, response) => json(response, { objects: [] });
  await send('', 'group/pictures.git/');
  expect(asked).toEqual(['POST /group/pictures.git/info/lfs/objects/batch']);
});

it.each<[string, Handle, RegExp]>([
  ['knows nothing of Git LFS', (_request, response) => response.writeHead(404).end(), /answers 404/],
  [
    'leads elsewhere',
    (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    /answers 302/,
  ],
  ['answers with a page', (_request, response) => response.end('<html>'), /does not answer as Git LFS does/],
  [
    'answers with nothing of the protocol',
    (_request, response) => json(response, { objects: [{ oid: '../x' }] }),
    /does not answer/,
  ],
  [
    'names more than it was asked',
    (_request, response) => json(response, { objects: Array(101).fill({ oid: 'a'.repeat(64) }) }),
    /does not answer/,
  ],
  ['answers without end', (_request, response) => response.end(Buffer.alloc(8 * 1024 ** 2, ' ')), /does not answer/],
  [
    'refuses an object',
    (_request, response) =>
      json(response, { objects: [{ oid: objects[0]!.oid, error: { code: 413, message: 'too large' } }] }),
    /too large/,
  ],
  [
    'writes what is no header',
    (_request, response) =>
      json(response, { objects: [{ oid: objects[0]!.oid, actions: upload(objects[0]!.oid, { 'x y': 'a\r\nb: c' }) }] }),
    /header/i,
  ],
  [
    'takes no bytes',
    (request, response) =>
      request.method === 'PUT'
        ? response.writeHead(507).end()
        : json(response, { objects: [{ oid: objects[0]!.oid, actions: upload(objects[0]!.oid) }] }),
    /answers 507/,
  ],
])('reports a server that %s', async (_name, handle, words) => {
  answer = handle;
  await expect(send()).rejects.toThrow(words);
});

it('sends only requested objects, and never to blocked addresses', async () => {
  answer = (request, response) =>
    request.method === 'PUT'
      ? response.end()
      : json(response, { objects: [{ oid: 'a'.repeat(64), actions: upload('a'.repeat(64)) }] });
  await send();
  expect(asked.filter((line) => line.startsWith('PUT'))).toEqual([]);
  answer = (_request, response) =>
    json(response, { objects: [{ oid: objects[0]!.oid, actions: { upload: { href: 'file:///etc/passwd' } } }] });
  await expect(send()).rejects.toThrow();
});

it('ends when it is cancelled', async () => {
  const ended = new AbortController();
  answer = (request, response) => {
    if (request.method === 'PUT') ended.abort();
    else json(response, { objects: [{ oid: objects[0]!.oid, actions: upload(objects[0]!.oid) }] });
  };
  await expect(send('', undefined, ended.signal)).rejects.toThrow(/ended/);
});
