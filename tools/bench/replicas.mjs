/**
 * The cost of coordination: two processes of every service behind two gateways, beside one of each, on the same cores
 * and the same NATS, Redis and MongoDB; and beside `npm start`, where all services share a process.
 */
import autocannon from 'autocannon';
import { api, processorSecondsOf, startStack } from './stack.mjs';

const seconds = 10;
const connections = 32;
/**
 * V8 optimizes code that runs often: each process of a service gets the same number of requests, whether there are one
 * or two.
 */
const warmRequestsEach = 20_000;
const turns = 2;

/** A typical mix: the current user, a project, a page of notes, a tree, and every fifth request a new note. */
async function requestsOn(stack) {
  const project = await api(stack, 'POST', '/projects', { name: `busy-${Date.now()}`, initialize_with_readme: true });
  const at = `/projects/${project.id}`;
  const [read, written] = await Promise.all(
    ['read', 'written'].map((title) => api(stack, 'POST', `${at}/issues`, { title })),
  );
  // New notes go to another issue: otherwise the faster side would have the longer list.
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

const loadOf = ({ stack, requests }, until) =>
  autocannon({ url: stack.url, headers: { 'private-token': stack.token }, requests, connections, ...until });

/** Processor time shows the cost of a request even with other load on the machine. */
async function measure(side) {
  const before = processorSecondsOf(side.stack.pid);
  const { requests, latency, non2xx, errors } = await loadOf(side, { duration: seconds });
  if (non2xx > 0 || errors > 0) throw new Error(`${side.stack.url}: ${non2xx} refusals, ${errors} errors`);
  const cost = (1000 * (processorSecondsOf(side.stack.pid) - before)) / requests.total;
  return { rate: requests.average, p99: latency.p99, cost };
}

/** Started alone and ended afterwards: idle work of one side must not affect the other. */
async function measureAlone(args, replicas) {
  const stack = await startStack(args);
  try {
    const side = { stack, requests: await requestsOn(stack) };
    await loadOf(side, { amount: warmRequestsEach * replicas });
    return await measure(side);
  } finally {
    await stack.stop();
  }
}

const each = (replicas) => ['--services', '--replicas', String(replicas), '--gateways', String(replicas)];
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

export async function measureReplicas() {
  const [together, one, two] = [[], [], []];
  for (let turn = 0; turn < turns; turn++) {
    together.push(await measureAlone([], 1));
    one.push(await measureAlone(each(1), 1));
    two.push(await measureAlone(each(2), 2));
  }
  const of = (runs, what) => mean(runs.map((run) => run[what]));
  const rate = (runs) => `${Math.round(of(runs, 'rate'))}/s`;
  const cost = (runs) => `${of(runs, 'cost').toFixed(2)} ms`;
  const twoOfEach = 'on two of every service and two gateways';
  return [
    {
      figure: `requests of all kinds ${twoOfEach}, against one of each`,
      value: `${rate(two)}, p99 ${Math.round(of(two, 'p99'))} ms`,
      floor: rate(one),
      ratio: of(two, 'rate') / of(one, 'rate'),
      goal: 0.8,
    },
    {
      figure: 'processor time of such a request, all processes together',
      value: cost(two),
      floor: cost(one),
      ratio: of(one, 'cost') / of(two, 'cost'),
      goal: 0.8,
    },
    {
      figure: `requests of all kinds ${twoOfEach}, against \`npm start\``,
      value: rate(two),
      floor: rate(together),
      ratio: of(two, 'rate') / of(together, 'rate'),
    },
    {
      figure: 'processor time of such a request, against `npm start`',
      value: cost(two),
      floor: cost(together),
      ratio: of(together, 'cost') / of(two, 'cost'),
    },
  ];
}
