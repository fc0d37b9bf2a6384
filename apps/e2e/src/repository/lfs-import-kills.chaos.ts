import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { OwnServer } from '../server/own-server';
import { until } from '../server/until';

/*
 * A repository with Git LFS is imported, and all processes are killed while its objects are downloaded. After the next
 * start the import resumes, downloads the missing objects, and none twice.
 */

const server = new OwnServer();
const source = http.createServer((request, response) => {
  pass(request, response).catch((error) => response.destroy(error));
});
/** Number of downloads of each object. */
const asked = new Map<string, number>();
/** No byte of these is sent. */
const held = new Set<string>();
let sourceUrl = '';

beforeAll(async () => {
  await server.start();
  source.listen(0, '127.0.0.1');
  await once(source, 'listening');
  sourceUrl = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
  const allowed = { outbound_local_requests_whitelist: [new URL(sourceUrl).host] };
  await server.api('PUT', '/application/settings', allowed);
}, 120_000);
afterAll(async () => {
  source.closeAllConnections();
  source.close();
  await server.stop();
});

/** A proxy to the server itself with another address, which survives the kill. */
async function pass(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const [oid] = /(?<=objects\/)[0-9a-f]{64}/.exec(request.url!) ?? [];
  if (oid) asked.set(oid, (asked.get(oid) ?? 0) + 1);
  if (oid && held.has(oid)) return;
  const { host: _host, 'accept-encoding': _encoding, ...headers } = request.headers;
  const onward = http.request(`${server.url}${request.url}`, { method: request.method, headers });
  request.pipe(onward);
  const [answer] = (await once(onward, 'response')) as [http.IncomingMessage];
  const isBatch = request.url!.endsWith('/objects/batch');
  const { 'content-length': length, ...kept } = answer.headers;
  response.writeHead(answer.statusCode!, isBatch ? kept : answer.headers);
  if (isBatch) response.end((await buffer(answer)).toString().replaceAll(server.url, sourceUrl));
  else answer.pipe(response);
}

interface Action {
  href: string;
  header?: Record<string, string>;
}

interface BatchObject {
  oid: string;
  size: number;
  actions?: { upload?: Action; download?: Action };
}

const oidOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const pointerTo = (bytes: Buffer): string =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${oidOf(bytes)}\nsize ${bytes.length}\n`;

async function batch(projectPath: string, operation: 'upload' | 'download', all: Buffer[]): Promise<BatchObject[]> {
  const answer = await fetch(`${server.url}/${projectPath}.git/info/lfs/objects/batch`, {
    method: 'POST',
    headers: {
      accept: 'application/vnd.git-lfs+json',
      'content-type': 'application/vnd.git-lfs+json',
      authorization: `Basic ${Buffer.from(`root:${server.token}`).toString('base64')}`,
    },
    body: JSON.stringify({ operation, objects: all.map((bytes) => ({ oid: oidOf(bytes), size: bytes.length })) }),
  });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { objects: BatchObject[] }).objects;
}

async function projectWith(all: Buffer[]): Promise<string> {
  const { id, path_with_namespace } = (await server.api('POST', '/projects', {
    ...{ name: 'Source', initialize_with_readme: true },
  })) as { id: number; path_with_namespace: string };
  for (const { oid, actions } of await batch(path_with_namespace, 'upload', all)) {
    const { href, header = {} } = actions!.upload!;
    const body = new Uint8Array(all.find((bytes) => oidOf(bytes) === oid)!);
    expect((await fetch(href, { method: 'PUT', headers: header, body })).status).toBe(200);
  }
  const actions = all.map((bytes, at) => ({ action: 'create', file_path: `${at}.bin`, content: pointerTo(bytes) }));
  await server.api('POST', `/projects/${id}/repository/commits`, {
    ...{ branch: 'main', commit_message: 'objects', actions },
  });
  return path_with_namespace;
}

it('downloads every object of an import during which all processes were killed', async () => {
  const all = Array.from({ length: 6 }, () => randomBytes(100_000));
  const path = await projectWith(all);
  const still = oidOf(all.at(-1)!);
  held.add(still);
  const importUrl = `http://root:${server.token}@${new URL(sourceUrl).host}/${path}.git`;
  const copy = (await server.api('POST', '/projects', { name: 'Copy', import_url: importUrl })) as {
    id: number;
    path_with_namespace: string;
  };
  const others = all.slice(0, -1);
  await until('all objects but the one that is held', async () => {
    const there = asked.has(still) ? await batch(copy.path_with_namespace, 'download', others) : [];
    return there.length > 0 && there.every(({ actions }) => actions?.download);
  });
  await server.kill();
  source.closeAllConnections();
  held.clear();
  await server.start();
  await until(
    'the end of the import',
    async () => {
      const state = (await server.api('GET', `/projects/${copy.id}/import`)) as Record<string, unknown>;
      if (state.import_status !== 'finished') return expect(state).toMatchObject({ import_error: null });
      expect(state).toMatchObject({ import_error: null, failed_relations: [] });
      return true;
    },
    90_000,
  );
  for (const { oid, actions } of await batch(copy.path_with_namespace, 'download', all)) {
    const { href, header = {} } = actions!.download!;
    const bytes = Buffer.from(await (await fetch(href, { headers: header })).arrayBuffer());
    expect(oidOf(bytes)).toBe(oid);
  }
  // Existing objects were not downloaded again.
  expect(others.map((bytes) => asked.get(oidOf(bytes)))).toEqual(others.map(() => 1));
  expect(asked.get(still)).toBeGreaterThan(1);
}, 240_000);
