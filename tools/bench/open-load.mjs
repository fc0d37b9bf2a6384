/**
 * Open load: requests start at planned times, random but the same in every run, whether or not earlier ones are
 * answered, and each is timed from its planned start.
 */
import { Pool } from 'undici';
import { randomOf } from './collaboration-data.mjs';

const connections = 256;

export const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
export const inOrder = (values) => [...values].sort((a, b) => a - b);
/** p50, p90, p99 */
export const milliseconds = (sorted) => [0.5, 0.9, 0.99].map((part) => at(sorted, part).toFixed(0)).join(', ');

/**
 * The plan of calls, in milliseconds from the start; the same for a rate in every run.
 * @param calls with a `share` each, a hundred together
 */
export function planLoad(calls, rate, seconds, ids) {
  const random = randomOf(rate);
  const any = (count) => Math.floor(random() * count);
  const hundred = calls.flatMap(({ share }, index) => Array(share).fill(index));
  const plan = [];
  let due = 0;
  // Exponentially distributed gaps: independent requests.
  while (due < seconds * 1000) {
    plan.push({ due, index: hundred[any(hundred.length)], id: ids[any(ids.length)], any: any(1e6) });
    due += (-Math.log(1 - random()) * 1000) / rate;
  }
  return plan;
}

export async function ask(pool, request) {
  const { statusCode, body } = await pool.request(request);
  const bytes = await body.text();
  if (statusCode >= 300) throw new Error(`${request.method} ${request.path}: ${statusCode} ${bytes.slice(0, 200)}`);
  return bytes;
}

/**
 * @param requestOf the request of a call, an id and a random number
 * @returns milliseconds by call, in order, the number of failures, and the last error
 */
export async function play(url, calls, plan, requestOf) {
  const pool = new Pool(url, { connections });
  const times = calls.map(() => []);
  const pending = new Set();
  const outcome = { failed: 0, refusal: '' };
  const send = async ({ due, index, id, any }) => {
    try {
      await ask(pool, requestOf(calls[index], id, any));
      times[index].push(performance.now() - began - due);
    } catch (error) {
      outcome.failed++;
      outcome.refusal = error.message;
    }
  };
  const began = performance.now();
  for (const each of plan) {
    while (performance.now() - began < each.due) await new Promise((resolve) => setTimeout(resolve, 1));
    const work = send(each).finally(() => pending.delete(work));
    pending.add(work);
  }
  await Promise.all(pending);
  await pool.close();
  return { ...outcome, times: times.map(inOrder), all: inOrder(times.flat()) };
}
