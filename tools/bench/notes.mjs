/**
 * Notes over HTTP: a page of 20 and a new one, beside a bare Fastify that requests one indexed find or one insert over
 * NATS; and the time of a page at a fixed rate. NOTES sets their number.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import autocannon from 'autocannon';
import { MongoClient } from 'mongodb';
import { Pool } from 'undici';
import { addNotes } from './collaboration-data.mjs';
import { api, freePort } from './stack.mjs';

const notes = Number(process.env.NOTES ?? 2_000_000);
/** Above the ids that the server assigns meanwhile. */
const firstId = 100_000_000;
const places = { projects: 1000, issues: 200_000, users: 500 };
const connections = 16;
const seconds = 5;
const turns = 3;
const perSecond = 500;
const steadySeconds = 20;

const middle = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function fill(stack) {
  const mongo = await MongoClient.connect(stack.mongodb_uri);
  try {
    await addNotes(mongo.db('moothall_collaboration'), places, firstId, firstId + notes);
  } finally {
    await mongo.close();
  }
}

async function startFloor(stack) {
  const port = await freePort();
  const env = {
    ...process.env,
    MONGODB_URI: stack.mongodb_uri,
    MONGODB_PREFIX: 'moothall',
    NATS_URL: stack.nats_url,
  };
  const parts = [
    fork(new URL('./collaboration-floor.mjs', import.meta.url), { env }),
    fork(new URL('./notes-floor.mjs', import.meta.url), [stack.nats_url, String(port)]),
  ];
  await Promise.all(parts.map((part) => once(part, 'message')));
  return { url: `http://127.0.0.1:${port}`, stop: () => parts.map((part) => part.kill()) };
}

async function ratePerSecond(request) {
  const { requests, latency, non2xx, errors } = await autocannon({ ...request, connections, duration: seconds });
  if (non2xx > 0 || errors > 0) throw new Error(`${request.url}: ${non2xx} refusals, ${errors} errors`);
  return { rate: requests.average, p99: latency.p99 };
}

/** In turns, so that other load affects both. */
async function compare(figure, ours, floor, goal) {
  for (const request of [ours, floor]) await ratePerSecond(request);
  const runs = [];
  for (let turn = 0; turn < turns; turn++) {
    runs.push({ ours: await ratePerSecond(ours), floor: await ratePerSecond(floor) });
  }
  return {
    figure,
    value: `${Math.round(middle(runs.map((run) => run.ours.rate)))}/s, p99 ${middle(runs.map((run) => run.ours.p99))} ms`,
    floor: `${Math.round(middle(runs.map((run) => run.floor.rate)))}/s`,
    ratio: middle(runs.map((run) => run.ours.rate / run.floor.rate)),
    goal,
  };
}

/** Milliseconds of each request at a fixed rate, from its planned start: delays of the generator count, too. */
async function steadyTimes(url, headers) {
  const pool = new Pool(new URL(url).origin, { connections: 64 });
  const times = [];
  const pending = new Set();
  const ask = async (due) => {
    const { statusCode, body } = await pool.request({ path: new URL(url).pathname, method: 'GET', headers });
    await body.dump();
    if (statusCode !== 200) throw new Error(`${url}: ${statusCode}`);
    times.push(performance.now() - due);
  };
  const began = performance.now();
  for (let sent = 0; sent < perSecond * steadySeconds; ) {
    const due = began + (sent * 1000) / perSecond;
    if (performance.now() < due) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      continue;
    }
    const work = ask(due).finally(() => pending.delete(work));
    pending.add(work);
    sent++;
  }
  await Promise.all(pending);
  await pool.close();
  return times.sort((a, b) => a - b);
}

async function measureSteady(url, headers) {
  await steadyTimes(url, headers);
  const times = await steadyTimes(url, headers);
  const at = (part) => `${times[Math.floor(times.length * part)].toFixed(0)} ms`;
  return {
    figure: `page of 20 notes at ${perSecond} requests a second, ${notes} notes: p50, p99, longest`,
    value: `${at(0.5)}, ${at(0.99)}, ${times.at(-1).toFixed(0)} ms`,
    goal: 'p99 under 100 ms',
  };
}

export async function measureNotes(stack) {
  const project = await api(stack, 'POST', '/projects', { name: `notes-${Date.now()}` });
  const issues = `/projects/${project.id}/issues`;
  const [read, written] = [
    await api(stack, 'POST', issues, { title: 'read' }),
    await api(stack, 'POST', issues, { title: 'written' }),
  ];
  const body = 'Some words of a comment. '.repeat(10);
  for (let at = 0; at < 40; at++) await api(stack, 'POST', `${issues}/${read.iid}/notes`, { body });
  await fill(stack);
  const headers = { 'private-token': stack.token };
  const json = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };
  const page = `${stack.url}/api/v4${issues}/${read.iid}/notes`;
  const create = `${stack.url}/api/v4${issues}/${written.iid}/notes`;
  const floor = await startFloor(stack);
  try {
    return [
      await measureSteady(page, headers),
      await compare(
        'page of 20 notes through HTTP against bare Fastify → NATS → one indexed find',
        { url: page, headers },
        { url: `${floor.url}/notes/${read.id}` },
        0.5,
      ),
      await compare(
        'new note through HTTP against bare Fastify → NATS → one insert',
        { url: create, ...json, body: JSON.stringify({ body }) },
        { url: `${floor.url}/notes`, ...json, body: JSON.stringify({ body }) },
        0.4,
      ),
    ];
  } finally {
    floor.stop();
  }
}
