/** A new secondary copies all that its primary has, next to a plain loop of `git clone --mirror` with as many at once. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { api, freePort, startStack, withSignIn } from './stack.mjs';
import { gitAside } from './transport.mjs';

const atOnce = 10;
/** `GEO_REPOSITORIES=200 npm run bench -- geo` takes a minute. */
const usualCount = Number(process.env.GEO_REPOSITORIES ?? 1000);

/** Does the work for each item, so many at once. @returns seconds */
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

/** From when the secondary knows that it is to copy. @returns seconds until all is there, and how much that is */
async function measureCopy(primary, secondary, node) {
  const before = (await statusOf(secondary, node))?.repositories_synced_count ?? 0;
  if (before > 0) throw new Error('it copied before it was told to');
  await api(primary, 'PUT', `/geo_nodes/${node.id}`, { enabled: true });
  await until('the word to begin', async () => (await json(secondary, `/geo_nodes/${node.id}`))?.enabled);
  const began = performance.now();
  const { projects_count: all } = await api(primary, 'GET', `/geo_nodes/${primary.node.id}/status`);
  await until('the copies', async () => (await statusOf(secondary, node))?.repositories_synced_count >= all);
  return { seconds: (performance.now() - began) / 1000, all };
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
  // Whom the primary lets in, the secondary does.
  const secondary = { ...started, token: stack.token };
  try {
    await until('the node there', () => statusOf(secondary, node));
    const mirror = ({ id, path_with_namespace }) =>
      gitAside(folder, ['clone', '-q', '--mirror', withSignIn(stack, path_with_namespace), `${id}.git`]);
    const theirs = projects.length / (await forAll(projects, mirror));
    const { seconds, all } = await measureCopy({ ...stack, node: primaryNode }, secondary, node);
    const ours = all / seconds;
    return [
      {
        figure: `${projects.length} small repositories copied by a new secondary, against git clone --mirror, ${atOnce} at once`,
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
