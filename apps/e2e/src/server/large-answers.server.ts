import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { OwnServer } from './own-server';

/* Answers far larger than a message, through real services: complete, streamed, and not retained in memory. */

jest.setTimeout(180_000);

const megabyte = 1024 ** 2;
const issueCount = 100;
const server = new OwnServer();
let folder: string;
let project: { id: number; path_with_namespace: string };

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'moothall-large-'));
  await server.start();
  project = (await server.api('POST', '/projects', { path: 'large' })) as typeof project;
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Resident memory in megabytes of a process, by its script. */
function megabytesOf(script: string): number {
  for (const pid of server.pids()) {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(script)) continue;
      return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
    } catch {
      // It ended meanwhile.
    }
  }
  throw new Error(`no process runs ${script}`);
}

/** Maximum growth of the gateway's memory in megabytes during `work`. */
async function growthOf(work: () => Promise<void>): Promise<number> {
  const before = megabytesOf('gateway.js');
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, megabytesOf('gateway.js'));
  }, 50);
  await work().finally(() => clearInterval(sampling));
  return most - before;
}

async function read(rest: string): Promise<{ bytes: number; body: unknown }> {
  const response = await fetch(`${server.url}/api/v4/projects/${project.id}${rest}`, {
    headers: { 'private-token': server.token },
  });
  const bytes = await response.arrayBuffer();
  if (!response.ok) throw new Error(`${rest}: ${response.status} ${Buffer.from(bytes).toString()}`);
  return { bytes: bytes.byteLength, body: JSON.parse(Buffer.from(bytes).toString()) };
}

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: folder });

it('a list of a hundred issues of a megabyte each', async () => {
  const description = 'x'.repeat(1_000_000);
  let next = 1;
  const create = async () => {
    while (next <= issueCount) {
      await server.api('POST', `/projects/${project.id}/issues`, { title: `Issue ${next++}`, description });
    }
  };
  await Promise.all([create(), create(), create()]);
  const growth = await growthOf(async () => {
    const { bytes, body } = await read('/issues?per_page=100');
    expect(bytes).toBeGreaterThan(issueCount * 1_000_000);
    expect((body as { description: string }[]).map(({ description: text }) => text.length)).toEqual(
      Array(issueCount).fill(description.length),
    );
  });
  expect(growth).toBeLessThan(64);
});

it('a compare of fifty megabytes and a blame of two hundred thousand lines', async () => {
  git('init', '--quiet', '--initial-branch=main');
  git('commit', '--quiet', '--allow-empty', '--message=Begin');
  git('branch', 'begin');
  const lines = Array.from({ length: 200_000 }, (_, at) => `line ${at} of many ${'ü'.repeat(at % 3)}`);
  writeFileSync(path.join(folder, 'long.txt'), `${lines.join('\n')}\n`);
  mkdirSync(path.join(folder, 'many'));
  for (let at = 0; at < 400; at++) {
    writeFileSync(path.join(folder, 'many', `${at}.txt`), `${at} ${'words and words\n'.repeat(8192)}`);
  }
  git('add', '.');
  git('commit', '--quiet', '--message=Much');
  const remote = new URL(`${server.url}/${project.path_with_namespace}.git`);
  Object.assign(remote, { username: 'root', password: server.token });
  git('push', '--quiet', remote.href, 'main', 'begin');
  const growth = await growthOf(async () => {
    const [compared, blamed] = await Promise.all([
      read('/repository/compare?from=begin&to=main'),
      read('/repository/files/long.txt/blame?ref=main'),
    ]);
    expect((compared.body as { diffs: unknown[] }).diffs).toHaveLength(401);
    const blames = blamed.body as { lines: string[] }[];
    expect(blames.flatMap((blame) => blame.lines)).toEqual(lines);
    expect(blamed.bytes).toBeGreaterThan(4 * megabyte);
  });
  expect(growth).toBeLessThan(64);
});
