/**
 * A simple read through gateway, NATS, service and database, beside a bare Fastify that requests the same bytes over
 * NATS.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import autocannon from 'autocannon';
import { freePort } from './stack.mjs';

const seconds = 6;
const connections = 32;

async function ratePerSecond(url, headers = {}) {
  const load = () => autocannon({ url, headers, connections, duration: seconds });
  await autocannon({ url, headers, connections, duration: 2 });
  const result = await load();
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`);
  return { rate: result.requests.average, p99: result.latency.p99 };
}

async function startFloor(natsUrl, body) {
  const port = await freePort();
  const parts = ['responder', 'edge'].map((part) =>
    fork(new URL('./json-read-floor.mjs', import.meta.url), [part, natsUrl, String(port)]),
  );
  for (const part of parts) part.send({ body });
  await Promise.all(parts.map((part) => once(part, 'message')));
  return { url: `http://127.0.0.1:${port}/`, stop: () => parts.map((part) => part.kill()) };
}

export async function measureJsonRead(stack) {
  const url = `${stack.url}/api/v4/user`;
  const headers = { 'private-token': stack.token };
  const body = await (await fetch(url, { headers })).text();
  const floor = await startFloor(stack.nats_url, body);
  try {
    // In turns, so that other load affects both.
    const runs = [];
    for (let turn = 0; turn < 3; turn++) {
      runs.push({ floor: await ratePerSecond(floor.url), ours: await ratePerSecond(url, headers) });
    }
    const best = (key) => runs.map((run) => run[key]).sort((a, b) => b.rate - a.rate)[0];
    const [ours, bare] = [best('ours'), best('floor')];
    return [
      {
        figure: 'simple JSON read (GET /user) against bare Fastify → NATS → reply',
        value: `${Math.round(ours.rate)}/s, p99 ${ours.p99} ms`,
        floor: `${Math.round(bare.rate)}/s`,
        ratio: ours.rate / bare.rate,
        goal: 0.5,
      },
    ];
  } finally {
    floor.stop();
  }
}
