/**
 * A new secondary copies all repositories of its primary, beside a plain loop of `git clone --mirror` with the same
 * concurrency.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { api, freePort, startStack, withSignIn } from './stack.mjs';
import { gitAsync } from './transport.mjs';

const atOnce = 10;
const turns = 4;
const quietMs = 2_000;
/** `GEO_REPOSITORIES=200 npm run bench -- geo` takes a minute. */
const usualCount = Number(process.env.GEO_REPOSITORIES ?? 1000);

/** Runs the work for each item with limited concurrency. @returns seconds */
async function forAll(items, work) {
  const began = performance.now();
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return (performance.now() - began) / 1000;
}

const makeProjects = async (stack, count) => {
  const names = Array.from({ length: count }, (_, index) => `copied-${Date.now()}-${index}`);
  const projects = [];
  await forAll(names, async (name) => {
    projects.push(await api(stack, 'POST', '/projects', { name, initialize_with_readme: true }));
  });
  return projects;
};

async function json(stack, rest) {
  const response = await fetch(`${stack.url}/api/v4${rest}`, { headers: { 'private-token': stack.token } });
  return response.ok ? response.json() : undefined;
}

const statusOf = (secondary, node) => json(secondary, `/geo_nodes/${node.id}/status`);

async function until(what, probe) {
  const deadline = performance.now() + 600_000;
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`${what} did not come about`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Empty if it is not a folder. */
function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Complete code repositories on the disks of a site: the counts in its status are at least two seconds old. */
function repositoriesOf({ dataFolder }) {
  // New copies are distributed over all storages.
  let folders = readdirSync(dataFolder).flatMap((name) =>
    ['@hashed', ...namesIn(path.join(dataFolder, name)).map((storage) => `${storage}/@hashed`)].map((below) =>
      path.join(dataFolder, name, below),
    ),
  );
  for (const _ of ['ab', 'cd', 'abcd….git']) {
    folders = folders.flatMap((folder) => namesIn(folder).map((name) => path.join(folder, name)));
  }
  return folders.filter((name) => !name.endsWith('.wiki.git')).length;
}

/** Copies that started before the pause must not slow down the clones after it. */
async function untilQuiet(secondary) {
  for (let [last, since] = [-1, 0]; performance.now() - since < quietMs; ) {
    const now = repositoriesOf(secondary);
    if (now !== last) [last, since] = [now, performance.now()];
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/**
 * Lets the secondary copy a number of repositories. @returns the number, and the time from the change of the setting
 */
async function copySome(primary, secondary, node, { some, all }) {
  await api(primary, 'PUT', `/geo_nodes/${node.id}`, { enabled: true });
  await until('the word to begin', async () => (await json(secondary, `/geo_nodes/${node.id}`))?.enabled);
  const before = repositoriesOf(secondary);
  const began = performance.now();
  const wanted = Math.min(before + some, all);
  const count = await until('the copies', () => {
    const now = repositoriesOf(secondary);
    return now >= wanted && now;
  });
  const seconds = (performance.now() - began) / 1000;
  await api(primary, 'PUT', `/geo_nodes/${node.id}`, { enabled: false });
  await until('the word to pause', async () => !(await json(secondary, `/geo_nodes/${node.id}`))?.enabled);
  await untilQuiet(secondary);
  return { seconds, count: count - before };
}

/** Both in turns, because other load on the machine changes. */
async function measureTurns(primary, secondary, node, { projects, mirror }) {
  const all = repositoriesOf(primary);
  const some = Math.ceil(projects.length / turns);
  const theirs = { count: 0, seconds: 0 };
  const ours = { count: 0, seconds: 0 };
  const ratios = [];
  for (let from = 0; from < projects.length; from += some) {
    const part = projects.slice(from, from + some);
    const seconds = await forAll(part, mirror);
    const copied = await copySome(primary, secondary, node, { some, all });
    theirs.count += part.length;
    theirs.seconds += seconds;
    ours.count += copied.count;
    ours.seconds += copied.seconds;
    if (copied.count > 0) ratios.push(copied.count / copied.seconds / (part.length / seconds));
  }
  return { theirs: theirs.count / theirs.seconds, ours: ours.count / ours.seconds, ratios };
}

export async function measureGeo(stack, { isShort }) {
  const projects = await makeProjects(stack, isShort ? 20 : usualCount);
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-mirrors-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const primaryNode = await api(stack, 'POST', '/geo_nodes', {
    name: `primary-${port}`,
    url: stack.url,
    primary: true,
  });
  const given = { name: `secondary-${port}`, url, enabled: false, repos_max_capacity: atOnce };
  const node = await api(stack, 'POST', '/geo_nodes', given);
  const started = await startStack([], {
    PORT: String(port),
    GEO_ROLE: 'secondary',
    GEO_PRIMARY_URL: stack.url,
    GEO_PRIMARY_TOKEN: stack.token,
    GEO_NODE_NAME: node.name,
    GEO_NODES_INTERVAL: '1',
  });
  // The secondary accepts the credentials of the primary.
  const secondary = { ...started, token: stack.token };
  try {
    await until('the node there', () => statusOf(secondary, node));
    const mirror = ({ id, path_with_namespace }) =>
      gitAsync(folder, ['clone', '-q', '--mirror', withSignIn(stack, path_with_namespace), `${id}.git`]);
    const { theirs, ours, ratios } = await measureTurns(stack, secondary, node, {
      projects,
      mirror,
    });
    const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    return [
      {
        figure: `${projects.length} small repositories copied by a new secondary, against git clone --mirror, ${atOnce} at once, in turns (${spread})`,
        value: `${ours.toFixed(1)}/s`,
        floor: `${theirs.toFixed(1)}/s`,
        ratio: ours / theirs,
        goal: 0.7,
      },
    ];
  } finally {
    await started.stop();
    rmSync(folder, { recursive: true, force: true });
    for (const { id } of [node, primaryNode]) {
      await fetch(`${stack.url}/api/v4/geo_nodes/${id}`, {
        method: 'DELETE',
        headers: { 'private-token': stack.token },
      });
    }
  }
}
