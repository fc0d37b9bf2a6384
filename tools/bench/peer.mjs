/**
 * The same calls to another git server, in turns on one machine: cgit and `git http-backend` behind lighttpd, as in
 * Debian. Both serve the same repository; cgit shows HTML pages where the API returns JSON, and has no authentication.
 * PEER_SECONDS sets the duration of each call in each turn.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import autocannon from 'autocannon';
import { installPeer } from '../test-programs.mjs';
import { fillForMix } from './mix-calls.mjs';
import { api, freePort, memoryOf, withSignIn } from './stack.mjs';
import { git, gitAsync } from './transport.mjs';

const seconds = Number(process.env.PEER_SECONDS ?? 4);
const turns = 3;
const clones = 5;
const connections = 16;
const cgit = '/usr/lib/cgit/cgit.cgi';

/** Paths of each call on both servers. */
const calls = [
  { name: 'tree', ours: 'tree?path=src', theirs: 'tree/src' },
  { name: 'raw file', ours: 'files/src%2Ffile-3.txt/raw?ref=main', theirs: 'plain/src/file-3.txt' },
  { name: 'commits', ours: 'commits?per_page=50', theirs: 'log/' },
  { name: 'branches', ours: 'branches', theirs: 'refs/heads' },
  { name: 'archive', ours: 'archive.tar.gz', theirs: 'snapshot/peer-main.tar.gz' },
];

const middle = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

function configure(folder, port) {
  const rc = path.join(folder, 'cgitrc');
  // Without a cache, the default of cgit.
  const repo = ['repo.url=peer', `repo.path=${folder}/peer.git`, 'repo.defbranch=main'];
  writeFileSync(rc, ['virtual-root=/cgit', 'snapshots=tar.gz', ...repo, ''].join('\n'));
  const settings = [
    'server.modules = ("mod_alias", "mod_setenv", "mod_cgi")',
    'server.bind = "127.0.0.1"',
    `server.port = ${port}`,
    `server.document-root = "${folder}"`,
    `alias.url = ("/cgit" => "${cgit}", "/git" => "/usr/lib/git-core/git-http-backend")`,
    `setenv.set-environment = ("CGIT_CONFIG" => "${rc}", "GIT_PROJECT_ROOT" => "${folder}", "GIT_HTTP_EXPORT_ALL" => "1")`,
    'cgi.assign = ("cgit.cgi" => "", "git-http-backend" => "")',
  ];
  const file = path.join(folder, 'lighttpd.conf');
  writeFileSync(file, `${settings.join('\n')}\n`);
  return file;
}

async function startPeer(folder) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = spawn('lighttpd', ['-D', '-f', configure(folder, port)], { stdio: ['ignore', 'ignore', 'inherit'] });
  const isReady = () =>
    fetch(`${url}/cgit/peer/`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (server.exitCode === null && !(await isReady())) await delay(50);
  if (server.exitCode !== null) throw new Error(`lighttpd ended with ${server.exitCode}`);
  return {
    url,
    pid: server.pid,
    async stop() {
      server.kill();
      await once(server, 'exit');
    },
  };
}

/** @returns requests per second, milliseconds at the 99th percentile, and the maximum memory of the server in MB */
async function ask(url, headers, pid) {
  let memory = 0;
  const watch = setInterval(() => {
    memory = Math.max(memory, memoryOf(pid));
  }, 1000);
  try {
    const { requests, latency, non2xx, errors } = await autocannon({ url, headers, connections, duration: seconds });
    if (non2xx > 0 || errors > 0) throw new Error(`${url}: ${non2xx} refusals, ${errors} errors`);
    return { rate: requests.average, p99: latency.p99, memory };
  } finally {
    clearInterval(watch);
  }
}

async function cloneSeconds(folder, remote) {
  const target = path.join(folder, 'clone');
  const began = performance.now();
  await gitAsync(folder, ['clone', '-q', '--bare', remote, target]);
  const spent = (performance.now() - began) / 1000;
  rmSync(target, { recursive: true });
  return spent;
}

async function measureCall({ name, ours, theirs }, stack, project, peer) {
  const headers = { 'private-token': stack.token };
  const runs = [];
  for (let turn = 0; turn < turns; turn++) {
    runs.push({
      theirs: await ask(`${peer.url}/cgit/peer/${theirs}`, {}, peer.pid),
      ours: await ask(`${stack.url}/api/v4/projects/${project.id}/repository/${ours}`, headers, stack.pid),
    });
  }
  const shown = (who) => {
    const of = (what) => middle(runs.map((run) => run[who][what]));
    return `${Math.round(of('rate'))}/s, p99 ${Math.round(of('p99'))} ms, ${of('memory')} MB`;
  };
  return {
    figure: `${name}, ${connections} at a time, against cgit`,
    value: shown('ours'),
    floor: shown('theirs'),
    ratio: middle(runs.map((run) => run.ours.rate / run.theirs.rate)),
  };
}

async function measureClones(stack, project, peer, folder) {
  const runs = [];
  for (let turn = 0; turn < clones; turn++) {
    runs.push({
      theirs: await cloneSeconds(folder, `${peer.url}/git/peer.git`),
      ours: await cloneSeconds(folder, withSignIn(stack, project.path_with_namespace)),
    });
  }
  const shown = (who) => `${(middle(runs.map((run) => run[who])) * 1000).toFixed(0)} ms`;
  return {
    figure: 'clone, against git http-backend behind lighttpd',
    value: shown('ours'),
    floor: shown('theirs'),
    ratio: middle(runs.map((run) => run.theirs / run.ours)),
  };
}

export async function measurePeer(stack) {
  if (!installPeer()) return [{ figure: 'cgit', value: 'not measured: cgit and lighttpd are not installed' }];
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-peer-'));
  try {
    const [id] = await fillForMix(stack, 1);
    const project = await api(stack, 'GET', `/projects/${id}`);
    await gitAsync(folder, ['clone', '-q', '--mirror', withSignIn(stack, project.path_with_namespace), 'peer.git']);
    git(path.join(folder, 'peer.git'), 'gc', '-q');
    const peer = await startPeer(folder);
    try {
      const rows = [];
      for (const call of calls) rows.push(await measureCall(call, stack, project, peer));
      return [...rows, await measureClones(stack, project, peer, folder)];
    } finally {
      await peer.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
