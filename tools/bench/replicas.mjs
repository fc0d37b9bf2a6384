/** What coordination costs: two of every service behind two gateways, next to what `npm start` runs, on the same cores. */
import autocannon from 'autocannon';
import { api, startStack } from './stack.mjs';

const seconds = 10;
const connections = 32;
/** Sixteen processes take longer than two until all that they run is compiled: so many rounds at most. */
const warmRounds = 15;
/** Warm is what is no longer this much faster than two rounds before. */
const stillWarming = 1.03;
const turns = 2;

/** A day's work in small: who am I, a project, a page of notes, a tree, and every fifth request a new note. */
async function requestsOn(stack) {
  const project = await api(stack, 'POST', '/projects', { name: `busy-${Date.now()}`, initialize_with_readme: true });
  const at = `/projects/${project.id}`;
  const [read, written] = await Promise.all(
    ['read', 'written'].map((title) => api(stack, 'POST', `${at}/issues`, { title })),
  );
  // New ones come elsewhere: whoever is faster is not to have the longer list.
  const notesOf = ({ iid }) => `${at}/issues/${iid}/notes`;
  const body = 'Some words of a comment.';
  for (let number = 0; number < 20; number++) await api(stack, 'POST', notesOf(read), { body });
  const reads = ['/user', at, notesOf(read), `${at}/repository/tree`].map((path) => ({
    method: 'GET',
    path: `/api/v4${path}`,
  }));
  const headers = { 'content-type': 'application/json' };
  return [...reads, { method: 'POST', path: `/api/v4${notesOf(written)}`, headers, body: JSON.stringify({ body }) }];
}

async function ratePerSecond({ stack, requests }) {
  const load = { url: stack.url, headers: { 'private-token': stack.token }, requests, connections, duration: seconds };
  const { requests: done, latency, non2xx, errors } = await autocannon(load);
  if (non2xx > 0 || errors > 0) throw new Error(`${stack.url}: ${non2xx} refusals, ${errors} errors`);
  return { rate: done.average, p99: latency.p99 };
}

async function warmUp(side) {
  const rates = [];
  while (rates.length < warmRounds) {
    rates.push((await ratePerSecond(side)).rate);
    if (rates.length > 3 && rates.at(-1) < stillWarming * rates.at(-3)) return;
  }
}

/** Started for this alone and ended afterwards: what one of them does when idle is not to count against the other. */
async function measureAlone(args) {
  const stack = await startStack(args);
  try {
    const side = { stack, requests: await requestsOn(stack) };
    await warmUp(side);
    return await ratePerSecond(side);
  } finally {
    await stack.stop();
  }
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

export async function measureReplicas() {
  const one = [];
  const two = [];
  for (let turn = 0; turn < turns; turn++) {
    one.push(await measureAlone([]));
    two.push(await measureAlone(['--services', '--replicas', '2', '--gateways', '2']));
  }
  const figure = (runs) => mean(runs.map(({ rate }) => rate));
  return [
    {
      figure: 'requests of all kinds on two of every service and two gateways, against `npm start`',
      value: `${Math.round(figure(two))}/s, p99 ${Math.round(mean(two.map(({ p99 }) => p99)))} ms`,
      floor: `${Math.round(figure(one))}/s`,
      ratio: figure(two) / figure(one),
      goal: 0.8,
    },
  ];
}
