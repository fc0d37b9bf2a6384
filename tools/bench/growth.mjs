/**
 * Lists, counts and searches with growing data: measured with a base number of records, ten times and a hundred times
 * as many. The caller sees about the same each time; only other data grows. The server creates the first record of each
 * kind, the others are copies of its document. The cost of a response is the processor time of all processes of the
 * server, which other load on the machine hardly changes. GROWTH=issues,labels measures these kinds only, GROWTH_PART
 * scales all sizes down; the short form measures a few records.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { MongoClient } from 'mongodb';
import { print } from '../set-up.mjs';
import { kinds, makePlace } from './growth-kinds.mjs';
import { api, family } from './stack.mjs';

const { GROWTH, GROWTH_PART = '1' } = process.env;
const usually = 200;
const factors = [1, 10, 100];
/** Above the ids that the server assigns meanwhile. */
const firstId = 100_000_000;
const batch = 2_000;
/** A request that takes more milliseconds is not repeated. */
const mostMs = 2_000;
/** Below this number of milliseconds, a request costs little more than any request. */
const leastMs = 0.5;

/** Processor time in milliseconds of a process and its descendants. */
function processorMs(pid) {
  let nanoseconds = 0;
  for (const one of family(pid)) {
    try {
      for (const thread of readdirSync(`/proc/${one}/task`)) {
        nanoseconds += Number(readFileSync(`/proc/${one}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]);
      }
    } catch {
      // It ended meanwhile.
    }
  }
  return nanoseconds / 1e6;
}

async function ask(stack, path) {
  const asked = path.replace('%RANDOM%', randomBytes(3).toString('hex'));
  const response = await fetch(`${stack.url}/api/v4${asked}`, { headers: { 'private-token': stack.token } });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
}

/**
 * The cheapest of a few rounds; fewer rounds if a request takes long.
 * @returns milliseconds of processor time, and elapsed, of each request
 */
async function costOf(stack, path, { rounds, requests }) {
  await ask(stack, path);
  const until = performance.now() + mostMs;
  let least = { cpu: Number.POSITIVE_INFINITY };
  const isOver = (round) => round >= rounds || (round > 0 && performance.now() >= until);
  for (let round = 0; !isOver(round) || (least.cpu === Number.POSITIVE_INFINITY && round < 2 * rounds); round++) {
    const [cpu, began] = [processorMs(stack.pid), performance.now()];
    let asked = 0;
    do {
      await ask(stack, path);
      asked++;
    } while (asked < requests && performance.now() < until);
    const cost = { clock: (performance.now() - began) / asked, cpu: (processorMs(stack.pid) - cpu) / asked };
    // If a process ended meanwhile, its processor time is missing.
    if (cost.cpu > 0 && cost.cpu < least.cpu) least = cost;
  }
  return least;
}

/** The document of the last created record, once it exists: some are created by events. */
async function lastOf(collection, than) {
  for (let tries = 0; tries < 100; tries++) {
    const [document] = await collection.find().sort({ $natural: -1 }).limit(1).toArray();
    if (document && String(document._id) !== String(than?._id)) return document;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`nothing came about in ${collection.collectionName}`);
}

async function firstOf(collection, { make, template }, place) {
  if (template) return template(place);
  const [before] = await collection.find().sort({ $natural: -1 }).limit(1).toArray();
  await make(place);
  return lastOf(collection, before);
}

function copyOf(document, { other }, at, place) {
  const id = firstId + at;
  const { _id, ...fields } = document;
  const key = typeof _id === 'number' ? { _id: id } : typeof _id === 'string' ? { _id: `${_id}-${at}` } : {};
  // A copy has no pending events or journal entries of the original.
  const { journal, outbox, ...kept } = { ...fields, ...(fields.iid !== undefined && { iid: id }) };
  return {
    ...key,
    ...kept,
    ...(journal && { journal: [] }),
    ...(outbox && { outbox: [] }),
    ...other(at, id, place, document),
  };
}

async function grow(collection, document, kind, from, to, place) {
  for (let at = from; at < to; at += batch) {
    const size = Math.min(batch, to - at);
    const copies = Array.from({ length: size }, (_, more) => copyOf(document, kind, at + more, place));
    await collection.insertMany(copies, { ordered: false, ignoreUndefined: true });
  }
}

async function measureKind(stack, mongo, kind, place, { part, effort }) {
  const collection = mongo.db(`moothall_${kind.database}`).collection(kind.collection);
  const document = await firstOf(collection, kind, place);
  const asks = Object.entries(kind.asks(place));
  const costs = new Map(asks.map(([name]) => [name, []]));
  const sizes = factors.map((factor) => Math.ceil((kind.first ?? usually) * factor * part));
  let there = 0;
  for (const size of sizes) {
    await grow(collection, document, kind, there, size, place);
    // The first requests compile code.
    if (there === 0) for (const [, path] of asks) await costOf(stack, path, effort);
    there = size;
    for (const [name, path] of asks) costs.get(name).push(await costOf(stack, path, effort));
  }
  return [...costs].map(([name, [least, middle, most]]) => ({
    figure: `${kind.name}: ${name}, of ${sizes.join(', ')}`,
    value: `${[middle, most].map(({ cpu }) => `${cpu.toFixed(1)} ms`).join(', ')}; on the clock ${most.clock.toFixed(1)} ms`,
    floor: `${least.cpu.toFixed(1)} ms`,
    ratio: Math.max(least.cpu, leastMs) / Math.max(most.cpu, leastMs),
    goal: 1 / 1.3,
  }));
}

export async function measureGrowth(stack, { isShort }) {
  const wanted = GROWTH?.split(',') ?? (isShort ? ['labels', 'todos'] : kinds.map(({ name }) => name));
  const plan = isShort
    ? { part: 0.05, effort: { rounds: 1, requests: 2 } }
    : { part: Number(GROWTH_PART), effort: { rounds: 5, requests: 8 } };
  await api(stack, 'POST', '/features/first_class_vulnerabilities', { value: true });
  const place = await makePlace(stack);
  const mongo = await MongoClient.connect(stack.mongodb_uri);
  const rows = [];
  try {
    for (const kind of kinds.filter(({ name }) => wanted.includes(name))) {
      print(`growing ${kind.name}`);
      rows.push(...(await measureKind(stack, mongo, kind, place, plan)));
    }
  } finally {
    await mongo.close();
  }
  return rows;
}
