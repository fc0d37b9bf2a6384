import { operations } from '@moothall/contracts';
import fc from 'fast-check';
import { OwnServer } from '../server/own-server';
import { anyCase, type Case, type FuzzRequest, kindCases, requestOf } from './cases';
import { ProcessWatch } from './process-watch';
import { rateLimitNames } from './settings';
import { Tally } from './tally';
import { isWhole, makeWorld, type World } from './world';

/*
 * Every operation of the contracts with hostile values, in every role, on real records. `FUZZ_MINUTES=60 FUZZ_SEED=7
 * npm run test:slow -- fuzz`. A failure prints its request.
 */

const minutes = Number(process.env.FUZZ_MINUTES ?? 2);
const seed = Number(process.env.FUZZ_SEED ?? 1);
const batchSize = 400;
const atOnce = 8;
const patienceMs = 60_000;

const server = new OwnServer({
  CHECK_OUTPUT: 'true',
  ...Object.fromEntries(rateLimitNames.map((name) => [name, '0'])),
});
const tally = new Tally();
/** Instance settings, with values to send along. The fuzzer changes them; then no world could be created. */
const ofInstance = { '/application/settings': {}, '/application/plan_limits': { plan_name: 'default' } };
/** By path. */
const atFirst = new Map<string, object>();

beforeAll(async () => {
  await server.start();
  for (const [path, along] of Object.entries(ofInstance))
    atFirst.set(path, { ...along, ...((await server.api('GET', path)) as object) });
}, 120_000);
afterAll(() => server.stop());

it(
  'answers every request, none with a fault, and no process ends',
  async () => {
    server.onLog = (text) => tally.hear(text);
    const watch = new ProcessWatch(server.pids());
    const until = Date.now() + minutes * 60_000;
    let worlds = 0;
    let world: World | undefined;
    for (let batch = 0; Date.now() < until; batch++) {
      world = world && (await isWhole(server, world)) ? world : undefined;
      if (!world) {
        for (const [path, values] of atFirst) await server.api('PUT', path, values);
        world = await makeWorld(server);
        worlds++;
      }
      // First each operation with valid values.
      const cases = batch === 0 ? kindCases(seed) : fc.sample(anyCase, { seed: seed + batch, numRuns: batchSize });
      await eachOf(cases.filter(isBearable), world, until);
    }
    const { deaths, startMb, peakMb, endMb } = watch.stop();
    const routed = operations.filter(({ routes }) => routes.length > 0).map(({ name }) => name);
    const notes = [
      tally.neverDone(routed),
      `${tally.requests} requests in ${minutes} minutes, seed ${seed}, ${worlds} worlds, ${deaths.length} deaths`,
      `memory of all processes: ${startMb} MB at first, ${peakMb} MB at most, ${endMb} MB in the end`,
    ];
    process.stdout.write(`\n${tally.table(notes)}\n`);
    expect(tally.failures.map(({ operation, what, example }) => `${operation}: ${what}: ${example}`)).toEqual([]);
    expect(deaths).toEqual([]);
  },
  minutes * 60_000 + 300_000,
);

/** The first user creates the worlds; settings that the other administrator changes are reset with the next world. */
function isBearable({ route, role, pick }: Case): boolean {
  if (route.method === 'GET' || role !== 'administrator') return true;
  // Operations that end a world are rare, so that the others have one.
  return !/^\/(users\/:id|application\/\w+|projects\/:id|groups\/:id)$/.test(route.path) || pick % 10 === 0;
}

async function eachOf(cases: Case[], world: World, until: number): Promise<void> {
  const queue = cases.values();
  const worker = async () => {
    for (const one of queue) {
      if (Date.now() > until) return;
      await ask(one, world);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Operations on root, who creates the worlds, or on its token. */
const isAboutRoot = (path: string): boolean =>
  /^\/api\/v4\/(users|personal_access_tokens)\/(1|root)(\/|$|\?)/.test(path);

async function ask(one: Case, world: World): Promise<void> {
  const asked = requestOf(one, world);
  if (asked.method !== 'GET' && isAboutRoot(asked.path)) return;
  const { name } = one.operation;
  const started = performance.now();
  try {
    const response = await fetch(`${server.url}${asked.path}`, {
      ...asked,
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
    });
    const text = await response.text();
    tally.answered(one.role, name, response.status, performance.now() - started);
    if (response.status >= 500) tally.fail(name, `${response.status} ${text.slice(0, 200)}`, inWords(asked, one));
    else if (text !== '' && response.headers.get('content-type') === 'application/json')
      world.records.learn(one.route.path, JSON.parse(text));
  } catch (error) {
    const { cause } = error as Error;
    tally.fail(name, `no answer: ${cause ?? error}`, inWords(asked, one));
  }
}

const inWords = ({ method, path, body }: FuzzRequest, { role, form }: Case): string =>
  `${role} ${method} ${path.slice(0, 600)} ${form} ${typeof body === 'string' ? body.slice(0, 1200) : ''}`;
