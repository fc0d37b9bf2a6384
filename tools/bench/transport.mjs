/** Clone and push through the gateway, beside `git http-backend` behind a plain Node server on the same repository. */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { api, withSignIn } from './stack.mjs';

const files = 2000;
const fileBytes = 20_000;
const turns = 5;

const environment = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0' };

export function git(folder, ...args) {
  return execFileSync('git', args, {
    cwd: folder,
    env: environment,
    maxBuffer: 1 << 30,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs git without blocking this process, which serves it. */
export async function gitAsync(folder, args, env = {}) {
  const child = spawn('git', args, { cwd: folder, env: { ...environment, ...env }, stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}`);
}

export function commitFiles(work, count, bytes) {
  for (let index = 0; index < count; index++) {
    writeFileSync(path.join(work, `file-${index}.txt`), `${randomBytes(bytes / 4).toString('hex')}\n`.repeat(2));
  }
  git(work, 'add', '.');
  git(work, '-c', 'user.name=b', '-c', 'user.email=b@example.com', 'commit', '-q', '-m', 'files');
}

/** `git http-backend` as CGI. */
function serveHttpBackend(projectRoot) {
  const server = createServer((request, response) => {
    const [pathname, query = ''] = request.url.split('?', 2);
    const backend = spawn('git', ['http-backend'], {
      env: {
        ...environment,
        GIT_PROJECT_ROOT: projectRoot,
        GIT_HTTP_EXPORT_ALL: '1',
        REMOTE_USER: 'bench',
        PATH_INFO: pathname,
        QUERY_STRING: query,
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        ...(request.headers['content-length'] && { CONTENT_LENGTH: request.headers['content-length'] }),
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        GIT_PROTOCOL: request.headers['git-protocol'] ?? '',
      },
    });
    request.pipe(backend.stdin);
    let head = Buffer.alloc(0);
    const readHead = (chunk) => {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      backend.stdout.off('data', readHead);
      for (const line of head.subarray(0, end).toString().split('\r\n')) {
        const [name, value] = line.split(': ', 2);
        if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
        else response.setHeader(name, value);
      }
      response.write(head.subarray(end + 4));
      backend.stdout.pipe(response);
    };
    backend.stdout.on('data', readHead);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function secondsOf(work) {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

export async function measureTransport(stack) {
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-transport-'));
  const work = path.join(folder, 'work');
  mkdirSync(work);
  git(work, 'init', '-q', '-b', 'main');
  commitFiles(work, files, fileBytes);
  const bare = path.join(folder, 'bare.git');
  git(folder, 'init', '-q', '--bare', '-b', 'main', bare);
  git(bare, 'config', 'http.receivepack', 'true');
  // With the same durability as the server.
  git(bare, 'config', 'core.fsync', 'committed');
  const server = await serveHttpBackend(folder);
  const project = await api(stack, 'POST', '/projects', { name: `transport-${Date.now()}` });
  const ours = withSignIn(stack, project.path_with_namespace);
  const remotes = { ours, floor: `http://127.0.0.1:${server.address().port}/bare.git` };
  const times = { push: { ours: [], floor: [] }, clone: { ours: [], floor: [] } };
  try {
    for (let turn = 0; turn < turns; turn++) {
      for (const [name, remote] of Object.entries(remotes)) {
        times.push[name].push(await secondsOf(() => gitAsync(work, ['push', '-q', remote, `main:turn-${turn}`])));
        const target = path.join(folder, `clone-${name}-${turn}`);
        times.clone[name].push(await secondsOf(() => gitAsync(folder, ['clone', '-q', '--bare', remote, target])));
        rmSync(target, { recursive: true });
      }
      // New objects for the next push.
      commitFiles(work, files, fileBytes);
    }
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return Object.entries(times).map(([what, { ours: own, floor }]) => ({
    figure: `${what} through the gateway against git http-backend`,
    value: `${median(own).toFixed(2)} s`,
    floor: `${median(floor).toFixed(2)} s`,
    ratio: median(floor) / median(own),
    goal: 0.85,
  }));
}
