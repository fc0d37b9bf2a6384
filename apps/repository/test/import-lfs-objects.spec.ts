import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  commonErrors,
  createRepository,
  defaultApplicationSettings,
  findLfsObjects,
  importFinished,
  projectRefs,
  readApplicationSettings,
  uploadLfsObject,
} from '@moothall/contracts';
import { eventually, projectNamed, shareBetweenTests } from '@moothall/testing';
import { ImportLfsObjects } from '../src/repository/import-lfs-objects';
import { Storages } from '../src/storage/storages';
import { git } from './git/build-repository';
import { type ProjectUnderTest, startRepositoryService } from './repository-under-test';

/*
 * Imports from servers with different answers. apps/e2e/src/repository/lfs-imports.client.ts tests git-lfs with a whole
 * server.
 */

const under = shareBetweenTests(() => startRepositoryService({ MAX_UPLOAD: '1KB' }));
const contents = new Map(
  ['one', 'two', 'three'].map((text) => [createHash('sha256').update(text).digest('hex'), Buffer.from(text)]),
);
const oids = [...contents.keys()].sort();
const pointerTo = (oid: string, size: number) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`;

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;
let answer: Handle;
let server: Server;
let asked: string[];
const authorizations = new Set<string | undefined>();
/** The project's objects in the stub delivery service. */
let kept: Map<string, Buffer>;
/** A bare repository, served as plain files. */
let folder: string;
let lfsEnabled: boolean;
let allowsLocal: boolean;

const origin = (host = '127.0.0.1') => `http://${host}:${(server.address() as AddressInfo).port}`;
const source = (name = 'group/pictures') => new URL(`${origin().replace('//', '//who:secret@')}/${name}`);
const json = (response: ServerResponse, value: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/vnd.git-lfs+json' }).end(JSON.stringify(value));

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'moothall-imported-'));
  git(folder, ['init', '--quiet', '-b', 'main', 'work']);
  const work = path.join(folder, 'work');
  for (const [index, oid] of oids.entries())
    writeFileSync(path.join(work, `${index}.bin`), pointerTo(oid, contents.get(oid)!.length));
  git(work, ['add', '.']);
  git(work, ['commit', '--quiet', '-m', 'pictures']);
  git(folder, ['clone', '--quiet', '--bare', 'work', 'bare']);
  git(path.join(folder, 'bare'), ['update-server-info']);

  server = createServer(async (request, response) => {
    const { method, url = '', headers } = request;
    if (url.startsWith('/here/')) return receive(request, response, url.slice('/here/'.length));
    const file = /^\/group\/pictures\.git\/((?:HEAD|info\/refs|objects\/)[^?]*)/.exec(url)?.[1];
    if (file) return serveFile(response, file);
    asked.push(`${method} ${url}`);
    authorizations.add(headers.authorization);
    return answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { respond } = under;
  respond(readApplicationSettings, () => ({
    ...defaultApplicationSettings,
    allow_local_requests_from_web_hooks_and_services: allowsLocal,
  }));
  respond(findLfsObjects, ({ objects, most_bytes }) =>
    objects.map(({ oid, size }) => ({
      oid,
      size,
      state: kept.has(oid) ? ('there' as const) : size > most_bytes ? ('too_large' as const) : ('missing' as const),
    })),
  );
  respond(uploadLfsObject, ({ oid }) => ({ url: `${origin()}/here/${oid}` }));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  asked = [];
  authorizations.clear();
  kept = new Map();
  lfsEnabled = true;
  allowsLocal = true;
  answer = giving();
  under.respond(projectRefs, ({ ids }) => ids.map((id) => projectNamed('pictures', { id, lfsEnabled })));
});

/** As the delivery service: incomplete objects are not stored. */
async function receive(request: IncomingMessage, response: ServerResponse, oid: string) {
  const bytes = await buffer(request).catch(() => undefined);
  if (!bytes || createHash('sha256').update(bytes).digest('hex') !== oid) return response.writeHead(422).end();
  kept.set(oid, bytes);
  return response.end();
}

function serveFile(response: ServerResponse, file: string): void {
  try {
    response.end(readFileSync(path.join(folder, 'bare', file)));
  } catch {
    response.writeHead(404).end();
  }
}

const batchOf = (body: Buffer) => JSON.parse(body.toString()) as { objects: { oid: string; size: number }[] };
const download = (oid: string, href = `${origin()}/objects/${oid}`) => ({
  oid,
  actions: { download: { href, header: { Authorization: 'Basic given' } } },
});

/** Has all objects by default. */
const giving =
  (get: Handle = (request, response) => response.end(contents.get(String(request.url).split('/').at(-1)!))): Handle =>
  async (request, response) => {
    if (request.method === 'GET') return get(request, response);
    const { objects } = batchOf(await buffer(request));
    return json(response, { transfer: 'basic', objects: objects.map(({ oid }) => download(oid)) });
  };

/** A project whose repository has the pointers, like an import that was killed before it requested objects. */
async function imported(pointers = oids.map((oid) => pointerTo(oid, contents.get(oid)!.length))) {
  const made = await under.newProject();
  for (const [index, content] of pointers.entries()) await made.commit('main', `${index}.bin`, content);
  return made;
}

const bring = ({ project }: ProjectUnderTest, withinMs = 20_000, from = source()) => {
  const { app } = under.running;
  const located = app.get(Storages, { strict: false }).locate(project);
  return app.get(ImportLfsObjects, { strict: false }).bring(located, project.id, from, Date.now() + withinMs);
};

const ended = (projectId: number) =>
  eventually(() => under.events(importFinished).find(({ data }) => data.project_id === projectId), 'the end', 30_000);

async function importFrom(url: string) {
  const project = projectNamed('copy');
  const input = {
    project_id: project.id,
    default_branch: 'main',
    import_url: url,
    author: { name: 'A', email: 'a@b' },
  };
  await under.client.call(createRepository, input, { project });
  return { project, event: await ended(project.id) };
}

it('is requested by an import, as git-lfs does', async () => {
  const { event } = await importFrom(`${origin()}/group/pictures.git`);
  expect(event!.data).toMatchObject({ error: null, is_empty: false });
  expect(event!.data).not.toHaveProperty('missing_objects');
  expect(new Map([...kept].sort())).toEqual(new Map([...contents].sort()));
  expect(asked[0]).toBe('POST /group/pictures.git/info/lfs/objects/batch');
  expect(authorizations).toEqual(new Set([undefined, 'Basic given']));
});

it('lists failed objects with reasons, while the import succeeds', async () => {
  answer = (_request, response) => response.writeHead(403).end();
  const { event } = await importFrom(`${origin()}/group/pictures.git`);
  expect(event!.data).toMatchObject({ error: null, missing_objects: 'Git LFS: the other server answers 403' });
  expect(kept.size).toBe(0);
});

it('authenticates with the credentials of the address, and skips existing objects', async () => {
  const made = await imported();
  kept.set(oids[0]!, contents.get(oids[0]!)!);
  expect(await bring(made)).toBeNull();
  expect(authorizations).toEqual(new Set([`Basic ${Buffer.from('who:secret').toString('base64')}`, 'Basic given']));
  expect(asked.filter((line) => line.startsWith('GET'))).toHaveLength(oids.length - 1);
  asked = [];
  expect(await bring(made)).toBeNull();
  expect(asked).toEqual([]);
});

it('is not requested if LFS is disabled, if there are no pointers, or if the project was deleted', async () => {
  const made = await imported();
  lfsEnabled = false;
  expect(await bring(made)).toBeNull();
  lfsEnabled = true;
  expect(await bring(await imported([]))).toBeNull();
  expect(asked).toEqual([]);
  expect(await bring(made, 20_000, new URL('git://127.0.0.1/x.git'))).toMatch(/only be fetched over http and https/);
});

it('waits for a project that is being created', async () => {
  under.respond(projectRefs, () => []);
  const made = await imported();
  await expect(bring(made)).rejects.toMatchObject({ code: commonErrors.unavailable.code });
});

it('requests several objects concurrently', async () => {
  const waiting: (() => void)[] = [];
  answer = giving((request, response) => {
    waiting.push(() => response.end(contents.get(request.url!.split('/').at(-1)!)));
    if (waiting.length === contents.size) for (const send of waiting) send();
  });
  expect(await bring(await imported())).toBeNull();
  expect([...kept.keys()].sort()).toEqual(oids);
});

it('imports the others if one is not available', async () => {
  const made = await imported();
  const [lost, wrong] = oids;
  answer = async (request, response) => {
    if (request.method === 'GET')
      return response.end(request.url!.endsWith(wrong!) ? 'five!' : contents.get(request.url!.split('/').at(-1)!));
    const { objects } = batchOf(await buffer(request));
    return json(response, {
      objects: objects.map(({ oid }) =>
        oid === lost ? { oid, error: { code: 404, message: 'gone' } } : download(oid),
      ),
    });
  };
  expect(await bring(made)).toMatch(
    /^Git LFS: 2 of 3 objects are missing\. [0-9a-f]{64}: (gone|the other server sends)/,
  );
  expect([...kept.keys()]).toEqual([oids[2]]);
});

it.each<[string, Handle, RegExp]>([
  ['knows nothing of Git LFS', (_request, response) => response.writeHead(404).end(), /answers 404/],
  ['answers with a page', (_request, response) => response.end('<html>'), /does not answer as Git LFS does/],
  ['answers without end', (_request, response) => response.end(Buffer.alloc(8 * 1024 ** 2, ' ')), /does not answer/],
  [
    'names more than it was asked',
    (_request, response) => json(response, { objects: Array(101).fill({ oid: 'a'.repeat(64) }) }),
    /does not answer/,
  ],
  ['names others', (_request, response) => json(response, { objects: [download('a'.repeat(64))] }), /3 of 3/],
  [
    'leads to no server',
    (_request, response) => json(response, { objects: [download(oids[0]!, 'file:///etc/passwd')] }),
    /does not answer/,
  ],
  [
    'writes what is no header',
    async (request, response) =>
      json(response, {
        objects: batchOf(await buffer(request)).objects.map(({ oid }) => ({
          oid,
          actions: { download: { href: origin(), header: { 'x y': 'a\r\nb: c' } } },
        })),
      }),
    /header/i,
  ],
  ['sends other bytes', giving((_request, response) => response.end('six')), /does not match the object/],
  ['sends fewer bytes', giving((_request, response) => response.end('x')), /does not match the object/],
  ['sends bytes without end', giving((_request, response) => pour(response)), /does not match the object/],
  [
    'breaks off',
    giving((_request, response) => {
      response.writeHead(200, { 'content-length': 5 }).write('t');
      response.socket?.end();
    }),
    /missing\. /,
  ],
  ['leads on without end', giving((_request, response) => leadTo(response, '/again')), /answers 302/],
  [
    'leads to no address',
    giving((_request, response) => leadTo(response, 'ftp://127.0.0.1/x')),
    /redirects to an invalid address/,
  ],
])('reports a server that %s', async (_name, handle, words) => {
  const made = await imported();
  answer = handle;
  expect(await bring(made)).toMatch(words);
  expect(kept.size).toBe(0);
});

const leadTo = (response: ServerResponse, location: string) => response.writeHead(302, { location }).end();

function pour(response: ServerResponse): void {
  const more = () => {
    while (response.write('x'.repeat(65536)));
  };
  response.on('drain', more).on('error', () => undefined);
  more();
}

it('follows redirects, and sends credentials only to the same server', async () => {
  const made = await imported();
  const seen: (string | undefined)[] = [];
  answer = giving((request, response) => {
    const { url = '', headers } = request;
    const oid = url.split('/').at(-1)!;
    if (url.startsWith('/objects/')) return leadTo(response, `/moved/${oid}`);
    seen.push(headers.authorization);
    if (url.startsWith('/moved/')) return leadTo(response, `${origin('localhost')}/away/${oid}`);
    return response.end(contents.get(oid));
  });
  expect(await bring(made)).toBeNull();
  expect(kept.size).toBe(oids.length);
  expect(new Set(seen)).toEqual(new Set(['Basic given', undefined]));
});

it('is checked against the addresses the instance allows, after each redirect', async () => {
  const made = await imported();
  const allowed = { ...defaultApplicationSettings, outbound_local_requests_whitelist: [new URL(origin()).host] };
  const { app } = under.running;
  const located = app.get(Storages, { strict: false }).locate(made.project);
  const policy = { allowsLocal: false, allowed: allowed.outbound_local_requests_whitelist };
  const objects = new ImportLfsObjects(
    under.client,
    { ofServices: async () => policy } as never,
    { find: async () => null } as never,
    { MAX_UPLOAD: 1024, IMPORT_TIMEOUT: 60 } as never,
  );
  const run = () => objects.bring(located, made.project.id, source(), Date.now() + 20_000);
  const elsewhere = 'http://127.0.0.1:1';
  answer = giving((_request, response) => leadTo(response, `${elsewhere}/x`));
  expect(await run()).toMatch(/Requests to the local network are not allowed/);
  answer = async (request, response) =>
    json(response, {
      objects: batchOf(await buffer(request)).objects.map(({ oid }) => download(oid, `${elsewhere}/${oid}`)),
    });
  expect(await run()).toMatch(/Requests to the local network are not allowed/);
  answer = (_request, response) => leadTo(response, `${elsewhere}/x`);
  expect(await run()).toMatch(/Requests to the local network are not allowed/);
  answer = giving();
  expect(await run()).toBeNull();
});

it('is given up after its timeout, and too large objects are not requested', async () => {
  const made = await imported([
    ...oids.slice(0, 1).map((oid) => pointerTo(oid, 3)),
    pointerTo('b'.repeat(64), 2 ** 40),
  ]);
  answer = giving((_request, response) => response.writeHead(200).write('t'));
  expect(await bring(made, 2_000)).toMatch(/took too long/);
  asked = [];
  answer = giving();
  expect(await bring(made)).toMatch(/^Git LFS: \d of 2 objects are missing/);
  expect(asked.join()).not.toContain('b'.repeat(64));
});

it('reports objects without room in the project, and retries local failures', async () => {
  const made = await imported();
  under.respond(findLfsObjects, ({ objects }) => objects.map((one) => ({ ...one, state: 'project_full' as const })));
  expect(await bring(made)).toMatch(/more room than it has/);
  under.respond(findLfsObjects, ({ objects }) => objects.map((one) => ({ ...one, state: 'missing' as const })));
  under.respond(uploadLfsObject, () => ({ url: 'http://127.0.0.1:9/' }));
  await expect(bring(made)).rejects.toMatchObject({ code: commonErrors.unavailable.code });
});
