/** Pages of records whose sizes are made to hurt: long texts, many files, commits, refs, notes, jobs and lists. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { signIn } from './sign-in.mjs';
import { api, withSignIn } from './stack.mjs';

const usual = { files: 10_000, commits: 3000, refs: 5000, notes: 150, issues: 150, jobs: 400, logLines: 35_000 };
const short = { files: 50, commits: 20, refs: 20, notes: 3, issues: 3, jobs: 5, logLines: 100 };
const furtherViews = 5;
const goalMs = 300;

const author = { name: 'b', email: 'b@example.com' };
const dense = 'A **text** with #1, @root and `code` :thinking: [x](y) \n\n'.repeat(18_000);
const textOf = (characters) => dense.slice(0, characters);
const repeated = (count, one) => Array.from({ length: count }, (_, at) => one(at));

/** A repository with large files, a large folder, one file with a long history, and many branches and tags. */
function writeRepository(work, { files, commits, refs }) {
  const run = (args, input) =>
    execFileSync('git', ['-c', `user.name=${author.name}`, '-c', `user.email=${author.email}`, ...args], {
      cwd: work,
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' },
      input,
      stdio: ['pipe', 'pipe', 'inherit'],
    }).toString();
  const write = (file, text) => {
    mkdirSync(path.join(work, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(work, file), text);
  };
  const commit = (message) => {
    run(['add', '.']);
    run(['commit', '-q', '-F', '-'], message);
  };
  run(['init', '-q', '-b', 'main']);
  write('README.md', `# Large\n\n${'- [x] **bold** `code` [link](a.md) <b>x</b> | a | b |\n'.repeat(18_000)}`);
  write('nested.md', `${'> '.repeat(5000)}x\n\n${'['.repeat(20_000)}\n${'`'.repeat(50_000)}\n${'<div>'.repeat(3000)}`);
  write('table.md', `|${'a|'.repeat(500)}\n|${'-|'.repeat(500)}\n${`|${'x|'.repeat(500)}\n`.repeat(400)}`);
  write('line.js', `x=${'1,'.repeat(5_000_000)}`);
  write('lines.ts', repeated(100_000, (at) => `const a${at} = "${at}"; // comment`).join('\n'));
  for (let at = 0; at < files; at++) write(`many/${at}.txt`, String(at));
  commit('First');
  const changes = repeated(commits, (at) => {
    const text = repeated(200, (line) => (line === at % 200 ? `changed ${at}` : `line ${line}`)).join('\n');
    const who = `A${at % 500} <a${at % 500}@example.com> ${1_700_000_000 + at} +0000`;
    const from = at === 0 ? 'from refs/heads/main^0\n' : '';
    const head = `commit refs/heads/main\ncommitter ${who}\ndata <<E\nChange ${at}\nE\n${from}`;
    return `${head}M 100644 inline blamed.txt\ndata ${text.length}\n${text}\n\n`;
  });
  run(['fast-import', '--quiet', '--force'], changes.join(''));
  run(['reset', '-q', '--hard']);
  run(['checkout', '-q', '-b', 'topic']);
  for (let at = 0; at < files / 3; at++) write(`many/${at}.txt`, `${at}\nmore`);
  write('lines.ts', repeated(100_000, (at) => `const b${at} = "${at}";`).join('\n'));
  commit(`Long ${'message '.repeat(100_000)}`);
  const tip = run(['rev-parse', 'main']).trim();
  const made = repeated(refs, (at) => `create refs/heads/b/${at} ${tip}\ncreate refs/tags/t${at} ${tip}\n`);
  run(['update-ref', '--stdin'], made.join(''));
  return run;
}

/** @returns the paths of the pages */
async function fill(stack, sizes) {
  const call = (method, rest, body) => api(stack, method, rest, body);
  const { id, path_with_namespace } = await call('POST', '/projects', { name: 'sizes', visibility: 'public' });
  const at = `/projects/${id}`;
  const work = mkdtempSync(path.join(tmpdir(), 'bench-sizes-'));
  try {
    const run = writeRepository(work, sizes);
    for (const refs of ['main', '--all', '--tags']) run(['push', '-q', withSignIn(stack, path_with_namespace), refs]);
  } finally {
    rmSync(work, { recursive: true });
  }
  const labels = repeated(100, (label) => `label-${label}`);
  await call('POST', `${at}/issues`, { title: 'Large', description: textOf(1_000_000), labels: labels.join() });
  for (let note = 0; note < sizes.notes; note++)
    await call('POST', `${at}/issues/1/notes`, { body: textOf(note < 20 ? 900_000 : 20_000) });
  const { id: discussion_id } = await call('POST', `${at}/issues/1/discussions`, { body: 'A thread' });
  for (let note = 0; note < sizes.notes; note++)
    await call('POST', `${at}/issues/1/discussions/${discussion_id}/notes`, { body: textOf(20_000) });
  for (let issue = 0; issue < sizes.issues; issue++) {
    const some = labels.slice(issue % 70, (issue % 70) + 30).join();
    const description = textOf(issue < 20 ? 900_000 : 100);
    await call('POST', `${at}/issues`, { title: `Issue ${issue}`.padEnd(255, 'x'), labels: some, description });
  }
  const branches = { source_branch: 'topic', target_branch: 'main' };
  await call('POST', `${at}/merge_requests`, { ...branches, title: 'Large', description: textOf(1_000_000) });
  for (let note = 0; note < 20; note++) await call('POST', `${at}/merge_requests/1/notes`, { body: textOf(100_000) });
  await call('POST', `${at}/milestones`, { title: 'Large', description: textOf(1_000_000) });
  for (let tag = 0; tag < 20; tag++)
    await call('POST', `${at}/releases`, { tag_name: `t${tag}`, name: `R${tag}`, description: textOf(900_000) });
  await call('POST', `${at}/wikis`, { title: 'home', content: textOf(1_000_000) });
  const files = repeated(10, (file) => ({ file_path: `f${file}.ts`, content: 'const a = 1;\n'.repeat(20_000) }));
  const about = { title: 'Large', visibility: 'public', description: textOf(1_000_000) };
  const snippet = await call('POST', `${at}/snippets`, { ...about, files });
  const board = await call('POST', `${at}/boards`, { name: 'Large' });
  for (const label of await call('GET', `${at}/labels?per_page=20`))
    await call('POST', `${at}/boards/${board.id}/lists`, { label_id: label.id });
  const { pipeline, job } = await runJob(stack, id, sizes);
  const paths = pathsOf({ snippet: snippet.id, board: board.id, pipeline, job });
  return [...paths.map((one) => `/${path_with_namespace}${one}`), ...searchesIn(id)];
}

/** A pipeline with many jobs, one of which has a long log. */
async function runJob(stack, project, { jobs, logLines }) {
  const file = Object.fromEntries(repeated(jobs, (at) => [`job ${at}`, { script: ['x'] }]));
  await api(stack, 'POST', `/projects/${project}/repository/commits`, {
    ...{ branch: 'ci', start_branch: 'main', commit_message: 'Jobs' },
    actions: [{ action: 'create', file_path: '.gitlab-ci.yml', content: JSON.stringify(file) }],
  });
  const { token } = await api(stack, 'POST', '/user/runners', { runner_type: 'project_type', project_id: project });
  const job = await requestJob(stack, token);
  const log = `\u001b[31mline\u001b[0m ${'x'.repeat(90)}\r\n`.repeat(logLines);
  const sent = await fetch(`${stack.url}/api/v4/jobs/${job.id}/trace`, {
    method: 'PATCH',
    headers: { 'job-token': job.token, 'content-range': `0-${log.length - 1}` },
    body: log,
  });
  if (!sent.ok) throw new Error(`the log was answered with ${sent.status}`);
  const [pipeline] = await api(stack, 'GET', `/projects/${project}/pipelines`);
  return { pipeline: pipeline.id, job: job.id };
}

/** The pipeline of a push is made by an event. */
async function requestJob(stack, token) {
  for (let left = 100; left > 0; left--) {
    const answer = await fetch(`${stack.url}/api/v4/jobs/request`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    if (answer.status === 201) return answer.json();
    await delay(100);
  }
  throw new Error('there is no job');
}

const pathsOf = ({ snippet, board, pipeline, job }) => [
  '',
  ...[
    ...['tree/main', 'tree/main/many', 'tree/main/many?page=50', 'commits/main', 'commits/main/blamed.txt'],
    ...['blob/main/README.md', 'blob/main/nested.md', 'blob/main/table.md', 'blob/main/line.js', 'blob/main/lines.ts'],
    ...['blame/main/lines.ts', 'blame/main/blamed.txt', 'blame/main/line.js', 'graphs/main'],
    ...['commit/topic', 'compare/main...topic', 'branches', 'branches?search=9', 'tags', 'tags?page=50'],
    ...['issues', 'issues/1', 'issues/1?page=2', 'issues/1?page=8', 'issues/new', 'issues/1/edit', `boards/${board}`],
    ...['merge_requests', 'merge_requests/1', 'merge_requests/1/commits', 'merge_requests/1/diffs'],
    ...['merge_requests/1/diffs?page=5', 'merge_requests/1/edit', 'merge_requests/new'],
    ...['milestones', 'milestones/1', 'releases', 'releases/t3', 'releases/new', 'releases/t3/edit'],
    ...['wikis', 'wikis/home/edit', 'wikis/pages', 'snippets', `snippets/${snippet}`, `snippets/${snippet}/edit`],
    ...['pipelines', `pipelines/${pipeline}`, `jobs/${job}`, 'pipelines/new', 'project_members', 'packages'],
  ].map((each) => `/-/${each}`),
];

/** Texts with many matches, in long records. */
const searches = {
  ...{ blobs: 'const a9', issues: 'thinking', merge_requests: 'thinking', notes: 'thinking' },
  ...{ commits: 'change 9', wiki_blobs: 'thinking', milestones: 'thinking' },
};
const searchesIn = (project_id) =>
  Object.entries(searches).map(([scope, search]) => `/search?${new URLSearchParams({ project_id, scope, search })}`);

export async function measurePageSizes(stack, { isShort }) {
  const paths = await fill(stack, isShort ? short : usual);
  const headers = { accept: 'text/html', 'accept-encoding': 'gzip', cookie: await signIn(stack) };
  const view = async (page) => {
    const began = performance.now();
    const answer = await fetch(stack.url + page, { headers, redirect: 'manual' });
    await answer.text();
    if (answer.status !== 200) throw new Error(`${page} was answered with ${answer.status}`);
    return performance.now() - began;
  };
  const times = [];
  for (const page of paths) {
    const first = await view(page);
    const further = [];
    while (further.length < furtherViews) further.push(await view(page));
    times.push({ page, first, further });
  }
  return [
    rowOf(
      'first view',
      times.map(({ page, first }) => [page, first]),
    ),
    rowOf(
      'further views',
      times.map(({ page, further }) => [page, Math.max(...further)]),
    ),
  ];
}

/** The slowest page, and the others above the goal. */
function rowOf(what, times) {
  const slowest = times.toSorted(([, one], [, other]) => other - one);
  const shown = slowest.filter(([, ms], at) => at === 0 || ms > goalMs);
  return {
    figure: `${times.length} pages of hostile sizes, ${what}: the slowest, and all above ${goalMs} ms`,
    value: shown.map(([page, ms]) => `${Math.round(ms)} ms ${page}`).join(', '),
    goal: `at most ${goalMs} ms`,
  };
}
