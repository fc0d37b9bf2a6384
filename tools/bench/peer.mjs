/**
 * The same calls to other servers, in turns on one machine: cgit and `git http-backend` behind lighttpd, and Redmine
 * behind Puma, all as in Debian. cgit serves the same repository; it shows HTML pages where the API returns JSON, and
 * has no authentication. Redmine has the same projects, issues and notes. PEER_SECONDS sets the duration of each call
 * in each turn; the short form has fewer projects and requests.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installPeer } from '../test-programs.mjs';
import { startCgit } from './cgit.mjs';
import { fillForMix } from './mix-calls.mjs';
import { cgitCalls, redmineReads, redmineWrites } from './peer-calls.mjs';
import { completeOurs, planFor } from './peer-data.mjs';
import { compare, extentOf, middle } from './peer-load.mjs';
import { requestsOf, requireEffect, requireRecords } from './peer-requests.mjs';
import { folderOfRedmine, startRedmine } from './redmine.mjs';
import { api, memoryOf, withSignIn } from './stack.mjs';
import { git, gitAsync } from './transport.mjs';

const usualProjects = 20;
const shortProjects = 2;
const clones = 5;
/** How many times as fast as Redmine each call should be. */
const goal = 5;

const inFolder = async (parent, name, work) => {
  const folder = mkdtempSync(path.join(parent, `moothall-${name}-`));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const oursOf = (stack) => ({
  url: stack.url,
  prefix: '/api/v4',
  headers: { 'private-token': stack.token },
  memory: () => memoryOf(stack.pid),
});

async function cloneSeconds(folder, remote) {
  const target = path.join(folder, 'clone');
  const began = performance.now();
  await gitAsync(folder, ['clone', '-q', '--bare', remote, target]);
  const spent = (performance.now() - began) / 1000;
  rmSync(target, { recursive: true });
  return spent;
}

async function measureClones(stack, project, cgit, folder) {
  const runs = [];
  for (let turn = 0; turn < clones; turn++) {
    runs.push({
      theirs: await cloneSeconds(folder, `${cgit.url}/git/peer.git`),
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

const measureCgit = (stack, id, extent) =>
  inFolder(tmpdir(), 'cgit', async (folder) => {
    const project = await api(stack, 'GET', `/projects/${id}`);
    await gitAsync(folder, ['clone', '-q', '--mirror', withSignIn(stack, project.path_with_namespace), 'peer.git']);
    git(path.join(folder, 'peer.git'), 'gc', '-q');
    const cgit = await startCgit(folder);
    const ours = oursOf(stack);
    try {
      const rows = [];
      for (const { name, ours: own, theirs } of cgitCalls) {
        const request = {
          method: 'GET',
          path: `${ours.prefix}/projects/${id}/repository/${own}`,
          headers: ours.headers,
        };
        const other = { ...cgit, next: () => ({ method: 'GET', path: `/cgit/peer/${theirs}` }) };
        rows.push(await compare({ name, against: 'cgit' }, { ...ours, next: () => request }, other, extent));
      }
      return [...rows, await measureClones(stack, project, cgit, folder)];
    } finally {
      await cgit.stop();
    }
  });

async function measureRedmineCall(call, ours, redmine, extent) {
  const requireSame = call.count === undefined ? requireEffect : requireRecords;
  const loaded = [];
  for (const [server, part] of [
    [ours, call.ours],
    [redmine, call.theirs],
  ]) {
    await requireSame(server, part, call);
    const next = requestsOf(server, part);
    loaded.push({ ...server, next: () => next().request });
  }
  return compare({ name: call.name, against: 'Redmine', goal }, ...loaded, extent);
}

const measureRedmine = (stack, ids, extent) =>
  inFolder(folderOfRedmine, 'redmine', async (folder) => {
    const records = await completeOurs(stack, ids);
    const redmine = await startRedmine(folder, planFor(records.projects.map(({ name }) => name)));
    const ours = { ...oursOf(stack), records };
    try {
      const rows = [];
      // Reads first: writes change the number of records.
      for (const call of [...redmineReads(ids.length), ...redmineWrites]) {
        rows.push(await measureRedmineCall(call, ours, redmine, extent));
      }
      return rows;
    } finally {
      await redmine.stop();
    }
  });

const notMeasured = (what) => ({ figure: what, value: `not measured: ${what} could not be installed` });

export async function measurePeer(stack, { isShort }) {
  const hasCgit = installPeer('cgit');
  const hasRedmine = installPeer('redmine');
  if (!hasCgit && !hasRedmine) return [notMeasured('cgit and lighttpd'), notMeasured('Redmine')];
  const extent = extentOf(isShort);
  const ids = await fillForMix(stack, hasRedmine && !isShort ? usualProjects : shortProjects);
  return [
    ...(hasCgit ? await measureCgit(stack, ids[0], extent) : [notMeasured('cgit and lighttpd')]),
    ...(hasRedmine ? await measureRedmine(stack, ids, extent) : [notMeasured('Redmine')]),
  ];
}
