/**
 * The same load on two servers in turns, for the comparison with other servers. autocannon cannot make it: it continues
 * on connections that the server closes, as Puma does if there are more of them than threads.
 */
import { Pool } from 'undici';

const seconds = Number(process.env.PEER_SECONDS ?? 4);
const connections = 16;

/** Duration of each turn in seconds, after some that are not counted, or its number of requests. */
export const extentOf = (isShort) =>
  isShort ? { turns: 1, amount: 50 } : { turns: 3, warming: Math.min(1, seconds), duration: seconds };

const inOrder = (values) => [...values].sort((a, b) => a - b);
const at = (values, part) => inOrder(values)[Math.floor(values.length * part)];
export const middle = (values) => at(values, 0.5);

async function send(pool, request) {
  const began = performance.now();
  const { statusCode, body } = await pool.request(request);
  const answer = await body.arrayBuffer();
  if (statusCode >= 200 && statusCode < 300) return performance.now() - began;
  const text = Buffer.from(answer).toString().slice(0, 200);
  throw new Error(`${request.method} ${request.path}: ${statusCode} ${text}`);
}

/**
 * Each connection sends a request after the other. Only answers within the duration count: requests are in progress at
 * its start as well as at its end.
 *
 * @returns requests per second, and the milliseconds of each
 */
async function sendAll(server, { amount, warming = 0, duration = Number.POSITIVE_INFINITY }) {
  const pool = new Pool(server.url, { connections });
  const times = [];
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1000 - warming;
  let sent = 0;
  const use = async () => {
    while (amount ? sent < amount : elapsed() < duration) {
      sent++;
      const time = await send(pool, server.next());
      if (elapsed() >= 0 && elapsed() < duration) times.push(time);
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, use));
    return { rate: times.length / Math.min(duration, elapsed()), times };
  } finally {
    await pool.destroy();
  }
}

/**
 * @param server `url`, `memory()` in MB, and `next()`: the next request @returns requests per second, milliseconds at
 *   the 99th percentile, and the maximum memory of the server
 */
async function load(server, extent) {
  let memory = server.memory();
  const watch = setInterval(() => {
    memory = Math.max(memory, server.memory());
  }, 1000);
  try {
    const { rate, times } = await sendAll(server, extent);
    if (times.length === 0) throw new Error(`${server.url} answered no request in time`);
    return { rate, p99: at(times, 0.99), memory };
  } finally {
    clearInterval(watch);
  }
}

/** Loads both servers in turns, so that other work of the machine affects both. @returns a row of the table */
export async function compare({ name, against, goal }, ours, theirs, extent) {
  const runs = [];
  for (let turn = 0; turn < extent.turns; turn++) {
    runs.push({ theirs: await load(theirs, extent), ours: await load(ours, extent) });
  }
  const shown = (who) => {
    const of = (what) => Math.round(middle(runs.map((run) => run[who][what])));
    return `${of('rate')}/s, p99 ${of('p99')} ms, ${of('memory')} MB`;
  };
  return {
    figure: `${name}, ${connections} at a time, against ${against}`,
    value: shown('ours'),
    floor: shown('theirs'),
    ratio: middle(runs.map((run) => run.ours.rate / run.theirs.rate)),
    goal,
  };
}
