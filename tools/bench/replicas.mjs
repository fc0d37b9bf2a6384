/** What coordination costs: two of every service behind two gateways, next to what `npm start` runs, on the same cores. */
import autocannon from 'autocannon';
import { api, startStack } from './stack.mjs';

const seconds = 10;
/** Sixteen processes take longer than two until all that they run is compiled. */
const warmSeconds = 60;
const connections = 32;
const turns = 3;

const middle = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

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

async function ratePerSecond({ stack, requests }, duration = seconds) {
  const load = { url: stack.url, headers: { 'private-token': stack.token }, requests, connections, duration };
  const { requests: done, latency, non2xx, errors } = await autocannon(load);
  if (non2xx > 0 || errors > 0) throw new Error(`${stack.url}: ${non2xx} refusals, ${errors} errors`);
  return { rate: done.average, p99: latency.p99 };
}

export async function measureReplicas(stack) {
  const many = await startStack(['--services', '--replicas', '2', '--gateways', '2']);
  try {
    const [one, two] = [stack, many].map(async (each) => ({ stack: each, requests: await requestsOn(each) }));
    const sides = { one: await one, two: await two };
    for (const side of [sides.one, sides.two]) await ratePerSecond(side, warmSeconds);
    // In turns, so that neither has the machine at a better time.
    const runs = [];
    for (let turn = 0; turn < turns; turn++) {
      runs.push({ one: await ratePerSecond(sides.one), two: await ratePerSecond(sides.two) });
    }
    const figure = (key) => Math.round(middle(runs.map((run) => run[key].rate)));
    return [
      {
        figure: 'requests of all kinds on two of every service and two gateways, against `npm start`',
        value: `${figure('two')}/s, p99 ${middle(runs.map(({ two }) => two.p99))} ms`,
        floor: `${figure('one')}/s`,
        ratio: middle(runs.map((run) => run.two.rate / run.one.rate)),
        goal: 0.8,
      },
    ];
  } finally {
    await many.stop();
  }
}
