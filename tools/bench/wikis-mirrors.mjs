/**
 * Listing, reading and writing wiki pages, and the time of a push to a mirror, beside the same in git without a server.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { api, withSignIn } from './stack.mjs';
import { commitFiles, git, gitAsync } from './transport.mjs';

const pages = 1000;
const rounds = 100;

const middle = (values, part = 0.5) => [...values].sort((a, b) => a - b)[Math.floor(values.length * part)];

async function timesOf(count, work) {
  const times = [];
  for (let index = 0; index < count; index++) {
    const began = performance.now();
    await work(index);
    times.push(performance.now() - began);
  }
  return times;
}

const shown = (times) => `${middle(times).toFixed(1)} ms, p95 ${middle(times, 0.95).toFixed(1)} ms`;

/** A thousand pages in folders, created by a push. */
async function makeWiki(stack, folder) {
  const project = await api(stack, 'POST', '/projects', { name: `wiki-${Date.now()}` });
  const work = path.join(folder, 'wiki');
  mkdirSync(work);
  git(work, 'init', '-q', '-b', 'master');
  for (let index = 0; index < pages; index++) {
    mkdirSync(path.join(work, `part-${index % 20}`), { recursive: true });
    writeFileSync(
      path.join(work, `part-${index % 20}/page-${index}.md`),
      `# Page ${index}\n\n${'text '.repeat(200)}\n`,
    );
  }
  git(work, 'add', '.');
  git(work, '-c', 'user.name=b', '-c', 'user.email=b@example.com', 'commit', '-q', '-m', 'pages');
  await gitAsync(work, ['push', '-q', withSignIn(stack, `${project.path_with_namespace}.wiki`), 'master']);
  return { base: `/projects/${project.id}/wikis`, work };
}

/** A page committed by git itself, as fast as a script. */
function commitPage(work, index) {
  writeFileSync(path.join(work, `own-${index}.md`), `# ${index}\n`);
  git(work, 'add', `own-${index}.md`);
  git(work, '-c', 'user.name=b', '-c', 'user.email=b@example.com', 'commit', '-q', '-m', 'page');
}

async function measureWiki(stack, folder) {
  const { base, work } = await makeWiki(stack, folder);
  const slug = (index) => encodeURIComponent(`part-${index % 20}/page-${index}`);
  await api(stack, 'GET', base);
  const listed = await timesOf(20, () => api(stack, 'GET', base));
  const full = await timesOf(20, () => api(stack, 'GET', `${base}?with_content=true`));
  const read = await timesOf(rounds, (index) => api(stack, 'GET', `${base}/${slug(index)}`));
  const written = await timesOf(rounds, (index) =>
    api(stack, 'POST', base, { title: `new-${index}`, content: `# ${index}` }),
  );
  const ownListing = await timesOf(20, () => git(work, 'ls-tree', '-r', 'master'));
  const ownReading = await timesOf(rounds, (index) =>
    git(work, 'cat-file', 'blob', `master:part-${index % 20}/page-${index}.md`),
  );
  const ownWriting = await timesOf(20, (index) => commitPage(work, index));
  const row = (figure, ours, theirs, what) => ({
    figure: `wiki of ${pages} pages: ${figure}, against ${what}`,
    value: shown(ours),
    floor: `${middle(theirs).toFixed(1)} ms`,
    ratio: middle(theirs) / middle(ours),
  });
  return [
    row('all pages listed', listed, ownListing, 'git ls-tree'),
    row('all pages with their contents', full, ownListing, 'git ls-tree without contents'),
    row('a page read', read, ownReading, 'git cat-file'),
    row('a page written', written, ownWriting, 'git add and commit'),
  ];
}

/** From the end of the push until the mirror reports success. */
async function measureMirror(stack, folder) {
  await api(stack, 'PUT', '/application/settings', { outbound_local_requests_whitelist: [new URL(stack.url).host] });
  const work = path.join(folder, 'mirrored');
  mkdirSync(work);
  git(work, 'init', '-q', '-b', 'main');
  commitFiles(work, 200, 10_000);
  const [source, target, floor] = await Promise.all(
    ['source', 'target', 'floor'].map((name) => api(stack, 'POST', '/projects', { name: `${name}-${Date.now()}` })),
  );
  await gitAsync(work, ['push', '-q', withSignIn(stack, source.path_with_namespace), 'main']);
  const mirrors = `/projects/${source.id}/remote_mirrors`;
  const url = withSignIn(stack, target.path_with_namespace);
  const finished = async (since) => {
    for (;;) {
      const [mirror] = await api(stack, 'GET', mirrors);
      if (mirror.update_status === 'finished' && Date.parse(mirror.last_update_started_at) >= since) return mirror;
      if (mirror.last_error) throw new Error(mirror.last_error);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  // The service uses the setting after some seconds.
  const until = performance.now() + 20_000;
  let created;
  while (!created) {
    created = await api(stack, 'POST', mirrors, { url, enabled: true }).catch((error) => {
      if (performance.now() > until) throw error;
    });
  }
  const { id } = created;
  await finished(0);
  const times = { ours: [], theirs: [] };
  for (let turn = 0; turn < 7; turn++) {
    commitFiles(work, 20, 10_000);
    await gitAsync(work, ['push', '-q', withSignIn(stack, source.path_with_namespace), 'main']);
    const since = Date.now();
    await fetch(`${stack.url}/api/v4${mirrors}/${id}/sync`, {
      method: 'POST',
      headers: { 'private-token': stack.token },
    });
    await finished(since);
    times.ours.push(Date.now() - since);
    const began = performance.now();
    await gitAsync(work, ['push', '-q', withSignIn(stack, floor.path_with_namespace), 'main']);
    times.theirs.push(performance.now() - began);
  }
  return [
    {
      figure: 'a push brought to a mirror over HTTP, against git push straight there',
      value: shown(times.ours),
      floor: `${middle(times.theirs).toFixed(1)} ms`,
      ratio: middle(times.theirs) / middle(times.ours),
    },
  ];
}

export async function measureWikisAndMirrors(stack) {
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-wikis-'));
  try {
    return [...(await measureWiki(stack, folder)), ...(await measureMirror(stack, folder))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
