import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { gitErrors } from '@moothall/contracts';
import { eventually } from '@moothall/testing';
import { GitError } from '../../src/git/process/errors';
import type { RefUpdate } from '../../src/git/refs/refs';
import type { PushRules } from '../../src/git/transport/judge-push';
import { packet } from '../../src/git/transport/pkt-line';
import type { GitService } from '../../src/git/transport/transport';
import { buildSample, git, gitText, importSample, makeEngine } from './build-repository';

const { engine, folder, dispose } = makeEngine();
const pushes: RefUpdate[][] = [];
let rules: PushRules = {};
let source: string;
let repository: string;
let server: Server;
let sessions: Server;
let url: string;
let sessionUrl: string;

/** A minimal smart HTTP server, for tests with git's own client. */
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url!, 'http://x');
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const context = { repository, protocol: request.headers['git-protocol'] as string, signal: gone.signal };
  const body = { ...context, input: request, isGzipped: request.headers['content-encoding'] === 'gzip' };
  response.setHeader('Content-Type', `application/x-${pathname.split('/').pop()}-result`);
  try {
    if (pathname.endsWith('/info/refs')) {
      const service = searchParams.get('service') as GitService;
      response.setHeader('Content-Type', `application/x-${service}-advertisement`);
      (await engine.transport.advertise(service, context)).pipe(response);
    } else if (pathname.endsWith('/git-upload-pack')) (await engine.transport.uploadPack(body)).pipe(response);
    else {
      const push = await engine.transport.receivePack({ ...body, rules });
      push.output.pipe(response);
      pushes.push(await push.updates);
    }
  } catch (error) {
    response.statusCode = error instanceof GitError ? gitErrors[error.reason].status : 500;
    response.end();
  }
}

beforeAll(async () => {
  source = buildSample(folder);
  await engine.start();
  server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1');
  sessions = createSocketServer({ allowHalfOpen: true }, (socket) => {
    socket.once('data', async (first: Buffer) => {
      // Further data wait until somebody reads them.
      socket.pause();
      const end = first.indexOf(10);
      const service = first.toString('latin1', 0, end);
      socket.unshift(first.subarray(end + 1));
      const request = {
        repository,
        input: socket,
        output: socket,
        errors: new PassThrough().resume(),
        protocol: 'version=2',
      };
      if (service === 'git-upload-pack') await engine.transport.uploadPackSession(request);
      else pushes.push((await engine.transport.receivePackSession({ ...request, rules })).updates);
      socket.end();
    });
  }).listen(0, '127.0.0.1');
  await Promise.all([once(server, 'listening'), once(sessions, 'listening')]);
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/p.git`;
  const bridge = join(folder, 'bridge.js');
  writeFileSync(
    bridge,
    `const s=require('net').connect(process.argv[2],'127.0.0.1');s.write(process.argv[3]+'\\n');process.stdin.pipe(s).pipe(process.stdout);s.on('close',()=>process.exit())`,
  );
  sessionUrl = `ext::${process.execPath} ${bridge} ${(sessions.address() as AddressInfo).port} %S`;
});

let nextProject = 1;
beforeEach(async () => {
  rules = {};
  pushes.length = 0;
  repository = await importSample(engine, source, nextProject++);
});

afterAll(() => {
  server.close();
  sessions.close();
  dispose();
});

/** Runs git without blocking this process, which has to answer it. */
async function client(cwd: string, args: string[]): Promise<{ code: number; output: string }> {
  const identity = ['-c', 'user.name=Cleo', '-c', 'user.email=cleo@example.com', '-c', 'protocol.ext.allow=always'];
  const child = spawn('git', [...identity, ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: '/nonexistent', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  return { code, output };
}

async function clone(from: string, ...options: string[]): Promise<string> {
  const target = mkdtempSync(join(folder, 'clone-'));
  const { code, output } = await client(target, ['clone', '-q', ...options, from, '.']);
  expect([code, output]).toEqual([0, '']);
  return target;
}

describe.each([
  ['HTTP', () => url],
  ['a session', () => sessionUrl],
])('git over %s', (_, address) => {
  it.each([0, 2])('clones with protocol version %s', async (version) => {
    const target = await clone(address(), '--mirror', '-c', `protocol.version=${version}`);
    expect(gitText(target, ['for-each-ref'])).toBe(gitText(repository, ['for-each-ref']));
    gitText(target, ['fsck', '--strict']);
  });

  it('clones shallow and without blobs', async () => {
    const shallow = await clone(address(), '--depth=1', '--branch=main', '--no-tags');
    expect(gitText(shallow, ['rev-list', '--count', 'HEAD'])).toBe('1');
    await clone(address(), '--filter=blob:none', '--bare');
  });

  it('pushes, and reports the changed refs', async () => {
    const target = await clone(address());
    git(target, ['commit', '-q', '--allow-empty', '-m', 'pushed']);
    git(target, ['tag', 'pushed']);
    const { code } = await client(target, ['push', '-q', 'origin', 'main', 'pushed', ':refs/heads/old']);
    expect(code).toBe(0);
    const after = gitText(target, ['rev-parse', 'main']);
    await eventually(() => pushes.some((updates) => updates.length > 0));
    expect(pushes.flat().sort((a, b) => (a.refName < b.refName ? -1 : 1))).toEqual([
      { refName: 'refs/heads/main', before: gitText(target, ['rev-parse', 'main~1']), after },
      { refName: 'refs/heads/old', before: gitText(source, ['rev-parse', 'old']), after: null },
      { refName: 'refs/tags/pushed', before: null, after },
    ]);
    expect(await engine.objects.resolve(repository, 'main')).toBe(after);
    expect(await engine.branches.list(repository, 'old')).toEqual([]);
  });

  it('reports that push options for merge requests have no effect', async () => {
    const target = await clone(address());
    git(target, ['commit', '-q', '--allow-empty', '-m', 'pushed']);
    const options = ['-o', 'merge_request.create', '-o', 'merge_request.title=A title', '-o', 'ci.skip', '-o', 'own=x'];
    const { code, output } = await client(target, ['push', ...options, 'origin', 'main']);
    expect(code).toBe(0);
    expect(output).toMatch(/remote: The push option merge_request\.create is not supported/);
    expect(output).toMatch(/remote: The push option merge_request\.title is not supported/);
    expect(output).not.toMatch(/ci\.skip|own/);
    expect(await engine.objects.resolve(repository, 'main')).toBe(gitText(target, ['rev-parse', 'main']));
  });

  it('refuses a push with the reasons of the rules, and changes nothing', async () => {
    rules = {
      authorize: async (updates) =>
        new Map(
          updates
            .filter(({ refName }) => refName === 'refs/heads/main')
            .map(({ refName }) => [refName, 'main is frozen']),
        ),
    };
    const target = await clone(address());
    git(target, ['commit', '-q', '--allow-empty', '-m', 'pushed']);
    const before = gitText(repository, ['for-each-ref']);
    const { code, output } = await client(target, ['push', 'origin', 'main', 'main:other']);
    expect(code).toBe(1);
    expect(output).toMatch(/remote rejected\] main -> main \(main is frozen\)/);
    expect(output).toMatch(/remote rejected\] main -> other/);
    expect(gitText(repository, ['for-each-ref'])).toBe(before);
    expect(pushes.flat()).toEqual([]);
  });

  it('refuses force pushes to protected branches, and accepts others', async () => {
    rules = { keptRefs: ['refs/heads/main'] };
    const target = await clone(address());
    git(target, ['commit', '-q', '--amend', '--allow-empty', '-m', 'rewritten']);
    const forced = await client(target, ['push', '--force', 'origin', 'main']);
    expect(forced.output).toMatch(/not allowed to force push to the protected branch main/);
    expect((await client(target, ['push', '--force', 'origin', 'main:old'])).code).toBe(0);
    git(target, ['reset', '-q', '--hard', 'origin/main']);
    git(target, ['commit', '-q', '--allow-empty', '-m', 'forward']);
    expect((await client(target, ['push', 'origin', 'main'])).code).toBe(0);
    rules = { keptRefs: ['refs/heads/feature/*'] };
    expect((await client(target, ['push', 'origin', ':feature/one'])).output).toMatch(
      /can not delete the protected branch feature\/one/,
    );
    expect((await client(target, ['push', 'origin', ':merged'])).code).toBe(0);
  });

  it('refuses packs over the limit, and hidden places', async () => {
    const target = await clone(address());
    writeFileSync(join(target, 'big'), Buffer.from(Array.from({ length: 200_000 }, (_v, n) => (n * 7919 * n) % 251)));
    git(target, ['add', 'big']);
    git(target, ['commit', '-q', '-m', 'big']);
    rules = { maxPackBytes: 1000 };
    const refused = await client(target, ['push', 'origin', 'main']);
    expect([refused.code, refused.output]).toEqual([1, expect.stringMatching(/exceeds maximum allowed size|unpack/)]);
    rules = {};
    expect((await client(target, ['push', 'origin', 'HEAD:refs/secret/x'])).output).toMatch(
      /only branches, tags and notes/,
    );
    expect((await client(target, ['push', '-q', 'origin', 'main'])).code).toBe(0);
  });
});

describe('broken requests', () => {
  it.each([
    ['text', Buffer.from('hello, this is no packet')],
    ['a bad command', packet('not a command\0report-status')],
    ['a length over the limit', Buffer.from('fffffffff')],
  ])('of %s are refused before git runs', async (_, bytes) => {
    const push = engine.transport.receivePack({ repository, input: Readable.from([bytes]) });
    await expect(push).rejects.toMatchObject({ reason: 'request_malformed' });
  });

  it('a body that inflates beyond the limit is refused', async () => {
    const bomb = gzipSync(Buffer.alloc(70 << 20, packet(`want ${gitText(repository, ['rev-parse', 'main'])}\n`)));
    const output = await engine.transport.uploadPack({ repository, input: Readable.from([bomb]), isGzipped: true });
    await expect(buffer(output)).rejects.toMatchObject({ reason: 'request_too_large' });
    await eventually(() => engine.transport.runningProcesses === 0);
  });

  it('a truncated push changes nothing', async () => {
    const before = [gitText(repository, ['for-each-ref']), gitText(repository, ['count-objects', '-v'])];
    const id = gitText(source, ['rev-parse', 'main']);
    const input = new PassThrough();
    input.write(
      Buffer.concat([
        packet(`${'0'.repeat(40)} ${id} refs/heads/cut\0report-status side-band-64k`),
        Buffer.from('0000PACK\0\0\0\x02\0\0\0\x09'),
      ]),
    );
    const push = await engine.transport.receivePack({ repository, input });
    input.destroy(new Error('gone'));
    push.output.on('error', () => undefined).resume();
    expect(await push.updates).toEqual([]);
    await eventually(() =>
      readdirSync(join(repository, 'objects')).every((name) => !/^(tmp_objdir|incoming)-/.test(name)),
    );
    expect([gitText(repository, ['for-each-ref']), gitText(repository, ['count-objects', '-v'])]).toEqual(before);
  });

  it('a fetch whose caller disconnects stops git', async () => {
    const gone = new AbortController();
    const input = new PassThrough();
    const want = packet(`want ${gitText(repository, ['rev-parse', 'main'])}\n`);
    input.write(Buffer.concat(Array.from({ length: 2000 }, () => want)));
    await engine.transport.uploadPack({ repository, input, signal: gone.signal });
    expect(engine.transport.runningProcesses).toBe(1);
    gone.abort();
    await eventually(() => engine.transport.runningProcesses === 0);
  });
});
