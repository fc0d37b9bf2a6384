import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { ask, connection, root, uniqueName } from '../server/connection';

/* Requests that no client should send. Each is answered, none with 500, and the server keeps working. */

const { token } = connection;
let projectId: number;
let path: string;

beforeAll(async () => {
  const project = await root.Projects.create({ name: uniqueName('bad'), initializeWithReadme: true });
  projectId = project.id;
  path = String(project.path_with_namespace);
});
afterEach(async () => {
  expect((await ask('/api/v4/version', { token })).status).toBe(200);
});

async function refusal(rest: string, init: RequestInit = {}): Promise<number> {
  const response = await ask(`/api/v4/projects/${projectId}${rest}`, { token, ...init });
  const body = await response.text();
  expect(response.status).toBeLessThan(500);
  if (response.status >= 400) expect(Object.keys(JSON.parse(body))).not.toHaveLength(0);
  return response.status;
}

it.each([
  ['/repository/tree?path=../..', 200],
  ['/repository/tree?path=%2e%2e%2f%2e%2e', 200],
  ['/repository/tree?path=/etc', 200],
  ['/repository/tree?ref=--output=/tmp/x', 404],
  ['/repository/tree?ref=-x', 404],
  ['/repository/tree?ref=main%00', 400],
  ['/repository/tree?ref=refs/../HEAD', 404],
  ['/repository/tree?ref=main@{0}', 404],
  [`/repository/tree?ref=${'a'.repeat(10_000)}`, 404],
  ['/repository/blobs/--batch-all-objects', 404],
  [`/repository/blobs/${'a'.repeat(64)}`, 400],
  ['/repository/compare?from=--no-index&to=main', 404],
  ['/repository/compare?from=main&to=main;ls', 404],
  ['/repository/merge_base?refs[]=--all&refs[]=main', 400],
  ['/repository/archive?sha=--remote=x', 404],
  ['/repository/archive.exe', 404],
  ['/repository/files/..%2f..%2fetc%2fpasswd?ref=main', 404],
  ['/repository/files/%2e%2e%2fx?ref=main', 404],
  ['/repository/commits?since=yesterday', 400],
  ['/repository/commits?path=:(glob)**', 200],
  ['/repository/branches?search=^$', 200],
  ['/repository/tree?per_page=0', 400],
  ['/repository/tree?page=first', 400],
])('answers %s with %i', async (rest, status) => {
  expect(await refusal(rest)).toBe(status);
});

it.each(['../x', '/x', 'a/../../x', '.git/config', 'a/.GIT/x', 'a//b', 'x\u0000y', '-'.repeat(5000), ''])(
  'writes no file at %j',
  async (file) => {
    const body = JSON.stringify({
      branch: 'main',
      commit_message: 'm',
      actions: [{ action: 'create', file_path: file, content: 'x' }],
    });
    const headers = { 'content-type': 'application/json' };
    expect(await refusal('/repository/commits', { method: 'POST', headers, body })).toBe(400);
    expect(await (await ask(`/api/v4/projects/${projectId}/repository/commits`, { token })).json()).toHaveLength(1);
  },
);

it('refuses a body that inflates beyond measure', async () => {
  const bomb = gzipSync(Buffer.alloc(200 << 20));
  const url = `/${path}.git/git-upload-pack`;
  const response = await ask(url, {
    method: 'POST',
    token,
    headers: { 'content-type': 'application/x-git-upload-pack-request', 'content-encoding': 'gzip' },
    body: new Blob([bomb]),
  }).catch(() => undefined);
  // Either an answer that it is refused, or a connection cut before the end.
  if (response) await response.arrayBuffer().catch(() => undefined);
});

it('refuses an invalid pack and keeps the repository unchanged', async () => {
  for (const body of ['0000', 'nonsense', '00ff', `${'0'.repeat(40)} `]) {
    const response = await ask(`/${path}.git/git-receive-pack`, {
      method: 'POST',
      token,
      headers: { 'content-type': 'application/x-git-receive-pack-request' },
      body: new Blob([body]),
    });
    await response.arrayBuffer();
    expect([body, response.status < 500]).toEqual([body, true]);
  }
  expect(await (await ask(`/api/v4/projects/${projectId}/repository/commits`, { token })).json()).toHaveLength(1);
});

function open(): Promise<Socket> {
  const { hostname, port } = new URL(connection.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
}

it('serves others while a thousand connections are silent or slow', async () => {
  const sockets = await Promise.all(Array.from({ length: 1000 }, open));
  try {
    for (const socket of sockets) {
      socket.on('error', () => undefined);
      socket.write('GET /api/v4/version HTTP/1.1\r\nHost: x\r\nX-Drip: ');
    }
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask('/api/v4/version', { token })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});

it('survives bytes that are no HTTP', async () => {
  const socket = await open();
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(Buffer.from([0, 1, 2, 3, 255, 254, 13, 10, 13, 10]));
  socket.resume();
  await closed;
});
