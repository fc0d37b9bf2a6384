/**
 * Tree pages and blobs over HTTP: their rate beside a server that starts git for each request, and the latency of 200
 * readers beside that of one.
 */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import autocannon from 'autocannon';
import { Pool } from 'undici';
import { api, freePort, withSignIn } from './stack.mjs';
import { git, gitAsync } from './transport.mjs';

const files = 10_000;
const fileBytes = 4000;
/** As in the simple read: with fewer connections, the processes would wait for one another. */
const connections = 32;
const projects = 100;
const readers = 200;
/** Pause of a person who browses a repository. */
const pauseMs = 1000;
const readsEach = 20;

const middle = (values, part = 0.5) => [...values].sort((a, b) => a - b)[Math.floor(values.length * part)];

function commitFolder(work, folder, count) {
  mkdirSync(path.join(work, folder), { recursive: true });
  for (let index = 0; index < count; index++) {
    const name = `file-${String(index).padStart(5, '0')}.txt`;
    writeFileSync(path.join(work, folder, name), `${randomBytes(fileBytes / 4).toString('hex')}\n`.repeat(2));
  }
  git(work, 'add', '.');
  git(work, '-c', 'user.name=b', '-c', 'user.email=b@example.com', 'commit', '-q', '-m', folder);
  return git(work, 'ls-tree', 'main', `${folder}/`)
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.slice(12, 52));
}

async function pushTo(stack, work, name) {
  const project = await api(stack, 'POST', '/projects', { name: `${name}-${Date.now()}` });
  await gitAsync(work, ['push', '-q', withSignIn(stack, project.path_with_namespace), 'main']);
  return project;
}

async function startFloor(stack, repository) {
  const port = await freePort();
  const script = new URL('./git-read-floor.mjs', import.meta.url);
  const parts = ['responder', 'edge'].map((part) => fork(script, [part, stack.nats_url, String(port), repository]));
  await Promise.all(parts.map((part) => once(part, 'message')));
  return { url: `http://127.0.0.1:${port}`, stop: () => parts.map((part) => part.kill()) };
}

async function ratePerSecond(url, headers, paths, seconds = 5) {
  const requests = paths.map((each) => ({ path: each, headers }));
  const load = (duration) => autocannon({ url, connections, duration, requests });
  await load(1);
  const result = await load(seconds);
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} refusals`);
  return result.requests.average;
}

async function measureRates(stack, work, ids) {
  const project = await pushTo(stack, work, 'reads');
  const floor = await startFloor(stack, path.join(work, '.git'));
  const headers = { 'private-token': stack.token };
  const base = `/api/v4/projects/${project.id}/repository`;
  const pages = Array.from({ length: files / 20 }, (_, index) => index + 1);
  const some = ids.filter((_, index) => index % 5 === 0);
  const kinds = [
    {
      what: 'tree page of 10,000 entries over HTTP',
      ours: pages.map((page) => `${base}/tree?path=many&page=${page}`),
      theirs: pages.map((page) => `/tree?path=many&page=${page}`),
    },
    {
      what: 'blobs over HTTP',
      ours: some.map((id) => `${base}/blobs/${id}`),
      theirs: some.map((id) => `/blobs/${id}`),
    },
  ];
  try {
    const rows = [];
    for (const { what, ours, theirs } of kinds) {
      const bare = await ratePerSecond(floor.url, {}, theirs);
      const rate = await ratePerSecond(stack.url, headers, ours);
      rows.push({
        figure: `${what} against Fastify → NATS → git started per request`,
        value: `${Math.round(rate)}/s`,
        floor: `${Math.round(bare)}/s`,
        ratio: rate / bare,
        goal: 20,
      });
    }
    return rows;
  } finally {
    floor.stop();
  }
}

/** Reads tree pages and blobs of random repositories. @returns milliseconds of each request */
async function read(pool, stack, targets, count, pause) {
  const times = [];
  await new Promise((resolve) => setTimeout(resolve, Math.random() * pause));
  for (let index = 0; index < count; index++) {
    const { id, blobs } = targets[Math.floor(Math.random() * targets.length)];
    const rest = index % 2 ? `blobs/${blobs[Math.floor(Math.random() * blobs.length)]}` : 'tree?path=some';
    const began = performance.now();
    const { statusCode, body } = await pool.request({
      method: 'GET',
      path: `/api/v4/projects/${id}/repository/${rest}`,
      headers: { 'private-token': stack.token },
    });
    await body.arrayBuffer();
    times.push(performance.now() - began);
    if (statusCode !== 200) throw new Error(`a reader got ${statusCode}`);
    if (pause) await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return times;
}

async function measureReaders(stack, work, blobs) {
  const targets = [];
  while (targets.length < projects) {
    targets.push({ id: (await pushTo(stack, work, `reader-${targets.length}`)).id, blobs });
  }
  const pool = new Pool(stack.url, { connections: readers, pipelining: 1 });
  try {
    const crowd = async (count, pause) =>
      (await Promise.all(Array.from({ length: readers }, () => read(pool, stack, targets, count, pause)))).flat();
    await crowd(5, 100);
    const single = middle(await read(pool, stack, targets, 500, 5));
    const times = await crowd(readsEach, pauseMs);
    const p99 = middle(times, 0.99);
    const began = performance.now();
    const pressed = await crowd(readsEach, 0);
    const rate = (pressed.length * 1000) / (performance.now() - began);
    return [
      {
        figure: `${readers} readers on ${projects} repositories, each a read a second: ten medians of a single reader against their p99`,
        value: `p99 ${p99.toFixed(1)} ms`,
        floor: `10 × ${single.toFixed(1)} ms`,
        ratio: (10 * single) / p99,
        goal: 1,
      },
      {
        figure: `${readers} readers who never pause`,
        value: `${Math.round(rate)}/s, p99 ${Math.round(middle(pressed, 0.99))} ms`,
      },
    ];
  } finally {
    await pool.close();
  }
}

export async function measureReads(stack) {
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-reads-'));
  try {
    const [many, some] = ['many', 'some'].map((name) => {
      const work = path.join(folder, name);
      mkdirSync(work);
      git(work, 'init', '-q', '-b', 'main');
      return work;
    });
    const rates = await measureRates(stack, many, commitFolder(many, 'many', files));
    return [...rates, ...(await measureReaders(stack, some, commitFolder(some, 'some', 100)))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
