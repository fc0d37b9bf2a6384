/**
 * The usual calls of the API, mixed, at random times. Then every call alone, slowest first. The floor
 * of each is a bare Fastify that requests the same number of bytes over NATS, with one insert if the call writes.
 * MIX_RATES, MIX_SECONDS and MIX_ALONE_SECONDS set rate and duration; the short form runs everything with few requests.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import autocannon from 'autocannon';
import { Pool } from 'undici';
import { calls, fillForMix } from './mix-calls.mjs';
import { ask, at, inOrder, milliseconds, planLoad, play } from './open-load.mjs';
import { freePort } from './stack.mjs';

const { MIX_RATES = '250,500,750,1000', MIX_SECONDS = '60', MIX_ALONE_SECONDS = '4' } = process.env;
const usual = {
  projects: 20,
  rates: MIX_RATES.split(',').map(Number),
  seconds: Number(MIX_SECONDS),
  alone: { connections: 16, warming: 1, turns: 3, duration: Number(MIX_ALONE_SECONDS) },
};
const short = { projects: 2, rates: [50], seconds: 3, alone: { connections: 16, warming: 0, turns: 1, amount: 100 } };
/** Above this the queue only grows: a higher rate gives no new information. */
const hopelessMs = 5000;

/** The server, or its floor, with the paths of each call. */
export const serverOf = ({ url, token }) => ({
  url,
  token,
  pathOf: ({ pathOf }, id, any) => `/api/v4${pathOf(id, any)}`,
});
const floorOf = (url) => ({ url, pathOf: (call) => `/${calls.indexOf(call)}` });

export function requestOf({ token, pathOf }, call, id, any) {
  const body = call.bodyOf && JSON.stringify(call.bodyOf(any));
  const headers = { ...(token && { 'private-token': token }), ...(body && { 'content-type': 'application/json' }) };
  return { path: pathOf(call, id, any), method: call.method, headers, body };
}

const playOn = (target, plan) => play(target.url, calls, plan, (...of) => requestOf(target, ...of));

async function startFloor(stack, bodies) {
  const port = await freePort();
  const script = new URL('./mix-floor.mjs', import.meta.url);
  const parts = ['responder', 'edge'].map((part) =>
    fork(script, [part, stack.nats_url, String(port), stack.mongodb_uri]),
  );
  for (const part of parts) part.send({ bodies });
  await Promise.all(parts.map((part) => once(part, 'message')));
  return { url: `http://127.0.0.1:${port}`, stop: () => parts.map((part) => part.kill()) };
}

async function measureRate(rate, seconds, ours, floor, ids) {
  const plan = planLoad(calls, rate, seconds, ids);
  const bare = await playOn(floor, plan);
  const mix = await playOn(ours, plan);
  const failures = mix.failed ? `, ${mix.failed} failed: ${mix.refusal}` : '';
  return {
    isHopeless: at(mix.all, 0.9) > hopelessMs,
    rows: [
      {
        figure: `mix at ${rate}/s for ${seconds} s: p50, p90, p99`,
        value: `${milliseconds(mix.all)} ms${failures}`,
        floor: `${milliseconds(bare.all)} ms`,
        ...(rate === 500 && { goal: 'p90 under 60 ms, p99 under 200 ms, none failed' }),
      },
      ...calls.flatMap(({ name }, index) =>
        mix.times[index].length === 0
          ? []
          : {
              figure: `mix at ${rate}/s: ${name}`,
              value: `${milliseconds(mix.times[index])} ms`,
              floor: bare.times[index].length === 0 ? '' : `${milliseconds(bare.times[index])} ms`,
            },
      ),
    ],
  };
}

/** @param alone number of seconds, or of requests */
async function ratePerSecond({ connections, duration, amount }, target, call, ids) {
  const requests = Array.from({ length: 5 * ids.length }, (_, any) =>
    requestOf(target, call, ids[any % ids.length], any),
  );
  const load = { url: target.url, requests, connections, ...(amount ? { amount } : { duration }) };
  const { requests: done, non2xx, errors, duration: took } = await autocannon(load);
  if (non2xx > 0 || errors > 0) throw new Error(`${call.name}: ${non2xx} refusals, ${errors} errors`);
  return amount ? done.total / Math.max(took, 0.01) : done.average;
}

/** In turns, so that other load affects both. */
async function measureAlone(alone, call, ours, floor, ids) {
  const runs = [];
  for (let turn = 0; turn < alone.warming + alone.turns; turn++) {
    const bare = await ratePerSecond(alone, floor, call, ids);
    runs.push({ bare, rate: await ratePerSecond(alone, ours, call, ids) });
  }
  const middle = (values) => at(inOrder(values), 0.5);
  const measured = runs.slice(alone.warming);
  const rate = middle(measured.map((run) => run.rate));
  return {
    rate,
    row: {
      figure: `${call.name} alone, ${alone.connections} at a time`,
      value: `${Math.round(rate)}/s`,
      floor: `${Math.round(middle(measured.map(({ bare }) => bare)))}/s`,
      ratio: middle(measured.map((run) => run.rate / run.bare)),
      goal: 0.4,
    },
  };
}

export async function measureMix(stack, { isShort }) {
  const { projects, rates, seconds, alone } = isShort ? short : usual;
  const ids = await fillForMix(stack, projects);
  const ours = serverOf(stack);
  const pool = new Pool(stack.url);
  const bodies = [];
  for (const call of calls) bodies.push(await ask(pool, requestOf(ours, call, ids[0], 0)));
  await pool.close();
  const { url, stop } = await startFloor(stack, bodies);
  const floor = floorOf(url);
  try {
    const rows = [];
    for (const rate of rates) {
      const { isHopeless, rows: measured } = await measureRate(rate, seconds, ours, floor, ids);
      rows.push(...measured);
      if (isHopeless) break;
    }
    const singles = [];
    for (const call of calls) singles.push(await measureAlone(alone, call, ours, floor, ids));
    return [...rows, ...singles.sort((a, b) => a.rate - b.rate).map(({ row }) => row)];
  } finally {
    stop();
  }
}
