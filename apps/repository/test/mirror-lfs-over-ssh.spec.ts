import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  defaultApplicationSettings,
  downloadLfsObject,
  listLfsObjects,
  projectRefs,
  readApplicationSettings,
} from '@moothall/contracts';
import { findProgram } from '@moothall/processes';
import { newSshKeyPair } from '@moothall/secrets';
import { projectNamed, shareBetweenTests } from '@moothall/testing';
import ssh2, { type ServerChannel } from 'ssh2';
import { withoutCredentials } from '../src/git/transport/remote-address';
import { endpointOverSsh } from '../src/mirror/lfs-over-ssh';
import { MirrorLfsObjects } from '../src/mirror/mirror-lfs-objects';
import { GitOutbound } from '../src/outbound/git-outbound';
import { Storages } from '../src/storage/storages';
import { startRepositoryService } from './repository-under-test';

/*
 * Answers of other servers over SSH about the LFS endpoint. apps/e2e/src/repository/lfs.client.ts tests git-lfs with a
 * whole server.
 */

const itWithSsh = findProgram('ssh') ? it : it.skip;
const under = shareBetweenTests(() => startRepositoryService());
const project = projectNamed('pictures', { lfsEnabled: true });
const content = Buffer.from('a picture');
const oid = createHash('sha256').update(content).digest('hex');

type Answer = (channel: ServerChannel) => unknown;
let answer: Answer;
let commands: string[];
let requests: { what: string; authorization: string | undefined }[];
let http: Server;
let ssh: ssh2.Server;
let folder: string;
const origin = () => `http://127.0.0.1:${(http.address() as AddressInfo).port}`;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'moothall-lfs-ssh-'));
  http = createServer(async (request, response) => {
    const { method, url = '', headers } = request;
    if (url === '/here') return response.end(content);
    const body = await buffer(request);
    requests.push({ what: `${method} ${url}`, authorization: headers.authorization });
    if (method === 'PUT') return response.end();
    const { objects } = JSON.parse(body.toString()) as { objects: { oid: string }[] };
    const upload = { href: `${origin()}/objects`, header: { Authorization: 'Basic object' } };
    return response.end(JSON.stringify({ objects: objects.map((one) => ({ ...one, actions: { upload } })) }));
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  ssh = new ssh2.Server({ hostKeys: [newSshKeyPair('ed25519', 'host').private] }, (connection) => {
    connection.on('error', () => undefined);
    connection.on('authentication', (context) => context.accept());
    connection.on('session', (accept) => {
      accept().on('exec', (take, _refuse, { command }) => {
        commands.push(command);
        const channel = take();
        channel.on('error', () => undefined);
        answer(channel);
      });
    });
  });
  await new Promise<void>((listening) => ssh.listen(0, '127.0.0.1', listening));
  const { respond } = under;
  respond(readApplicationSettings, () => ({
    ...defaultApplicationSettings,
    allow_local_requests_from_web_hooks_and_services: true,
  }));
  respond(projectRefs, () => [project]);
  respond(listLfsObjects, ({ after = '' }) => (after < oid ? [{ oid, size: content.length }] : []));
  respond(downloadLfsObject, () => ({ url: `${origin()}/here` }));
});
afterAll(() => {
  http.closeAllConnections();
  http.close();
  ssh.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  commands = [];
  requests = [];
});

const say =
  (words: string, exitCode = 0): Answer =>
  (channel) => {
    channel.write(words);
    channel.exit(exitCode);
    channel.end();
  };
const saying = (value: unknown) => say(`${JSON.stringify(value)}\n`);
const given = (more: object = {}) => ({
  href: `${origin()}/it's.git/info/lfs`,
  header: { Authorization: 'RemoteAuth given' },
  ...more,
});

async function endpoint(withinMs?: number) {
  const { app } = under.running;
  const { port } = ssh.address() as AddressInfo;
  const url = new URL(`ssh://git@127.0.0.1:${port}/group/it's.git`);
  const files = { key: path.join(folder, 'key'), knownHosts: path.join(folder, 'known_hosts'), isKnown: false };
  writeFileSync(files.key, newSshKeyPair('ed25519', 'mirror').private, { mode: 0o600 });
  const address = withoutCredentials(url, await app.get(GitOutbound, { strict: false }).route(), files);
  const { engine } = app.get(Storages, { strict: false }).locate({ id: 1, storage: 'default' });
  const signal = AbortSignal.timeout(20_000);
  return { url, signal, ask: endpointOverSsh({ engine, url, address, signal }, withinMs) };
}

async function send(withinMs?: number) {
  const { url, signal, ask } = await endpoint(withinMs);
  return under.running.app.get(MirrorLfsObjects, { strict: false }).send(project.id, url, '', signal, ask);
}

itWithSsh('is asked with the keys of the mirror, and followed with what it gives', async () => {
  answer = saying(given({ expires_in: 600 }));
  expect(await send()).toMatch(/^[0-9a-f]{64}$/);
  expect(commands).toEqual([String.raw`git-lfs-authenticate '/group/it'\''s.git' upload`]);
  expect(requests).toEqual([
    { what: "POST /it's.git/info/lfs/objects/batch", authorization: 'RemoteAuth given' },
    { what: 'PUT /objects', authorization: 'Basic object' },
  ]);
});

itWithSsh('is asked again when what it has allowed has ended, and not before', async () => {
  const { ask } = await endpoint();
  answer = saying(given({ expires_at: new Date(Date.now() + 3_600_000).toISOString() }));
  await ask();
  await ask();
  expect(commands).toHaveLength(1);
  const { ask: askAgain } = await endpoint();
  answer = saying(given({ expires_in: 1 }));
  await askAgain();
  await askAgain();
  expect(commands).toHaveLength(3);
});

itWithSsh.each<[string, Answer, RegExp]>([
  ['says no JSON', say('<html>'), /does not answer git-lfs-authenticate as Git LFS does/],
  ['says nothing', say(''), /does not answer git-lfs-authenticate/],
  ['gives no address', saying({ header: {} }), /does not answer git-lfs-authenticate/],
  ['leads to no server', (channel) => saying(given({ href: 'file:///etc/passwd' }))(channel), /does not answer/],
  [
    'gives a header without end',
    (channel) => saying(given({ header: { a: 'x'.repeat(10_000) } }))(channel),
    /not answer/,
  ],
  [
    'refuses',
    (channel) => {
      channel.stderr.write('ERROR: Git LFS is switched off in this project.\n');
      say('', 1)(channel);
    },
    /Git LFS is switched off in this project/,
  ],
  [
    'speaks without end',
    (channel) => {
      const more = () => {
        while (channel.write('x'.repeat(32_768)));
      };
      channel.on('drain', more);
      more();
    },
    /does not answer git-lfs-authenticate/,
  ],
])('reports a server that %s', async (_name, handle, words) => {
  answer = handle;
  await expect(send()).rejects.toThrow(words);
  expect(requests).toEqual([]);
});

itWithSsh('is not waited for without end', async () => {
  answer = () => undefined;
  await expect(send(2_000)).rejects.toThrow(/in time/);
});

itWithSsh('leads nowhere that the instance does not let services reach', async () => {
  answer = (channel) => saying(given())(channel);
  const { url, signal, ask } = await endpoint();
  const policies = { ofServices: async () => ({ allowsLocal: false, allowed: [] }) };
  const objects = new MirrorLfsObjects(under.client, policies as never);
  await expect(objects.send(project.id, url, '', signal, ask)).rejects.toThrow(/local network are not allowed/);
  expect(requests).toEqual([]);
});
