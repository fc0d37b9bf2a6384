/**
 * The effect of one caller with two hundred connections on others: their git and archives, with and without this
 * caller.
 */
import { execFile, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { api, withSignIn } from './stack.mjs';

const run = promisify(execFile);
const turns = 5;
const connections = 200;
/** The caller has reached its full share by then. */
const warmUpMs = 3000;

async function prepare(stack) {
  const project = await api(stack, 'POST', '/projects', { path: 'shared', visibility: 'public' });
  const actions = Array.from({ length: 8 }, (_, at) => ({
    action: 'create',
    file_path: `data-${at}.bin`,
    content: randomBytes(512 * 1024).toString('base64'),
    encoding: 'base64',
  }));
  const { id } = await api(stack, 'POST', `/projects/${project.id}/repository/commits`, {
    branch: 'main',
    commit_message: 'Begin',
    actions,
  });
  const user = await api(stack, 'POST', '/users', {
    username: 'mallory',
    name: 'Mallory',
    email: 'mallory@example.com',
    password: `pass-${process.pid}-word`,
    skip_confirmation: true,
  });
  const { token } = await api(stack, 'POST', `/users/${user.id}/impersonation_tokens`, {
    name: 'all',
    scopes: ['api'],
  });
  return { project, commit: id, token };
}

async function archive(stack, { id }) {
  const response = await fetch(`${stack.url}/api/v4/projects/${id}/repository/archive.tar`, {
    headers: { 'private-token': stack.token },
  });
  if (!response.ok) throw new Error(`archive: ${response.status}`);
  await response.arrayBuffer();
}

/** Milliseconds of each call, as the median of several turns. */
async function measure(stack, project, folder) {
  const remote = withSignIn(stack, project.path_with_namespace);
  let count = 0;
  const works = {
    'git ls-remote': () => run('git', ['ls-remote', remote]),
    'git clone': () =>
      run('git', ['clone', '--quiet', '--bare', remote, path.join(folder, `${process.pid}-${Date.now()}-${count++}`)]),
    archive: () => archive(stack, project),
  };
  const medians = {};
  for (const [name, work] of Object.entries(works)) {
    const times = [];
    for (let turn = 0; turn < turns; turn++) {
      const began = performance.now();
      await work();
      times.push(performance.now() - began);
    }
    medians[name] = times.sort((a, b) => a - b)[Math.floor(turns / 2)];
  }
  return medians;
}

export async function measureShares(stack) {
  const { project, commit, token } = await prepare(stack);
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-shares-'));
  try {
    await measure(stack, project, folder);
    const alone = await measure(stack, project, folder);
    const greedy = fork(new URL('../attack/greedy.mjs', import.meta.url));
    greedy.send({ url: stack.url, token, project, commit, connections });
    await delay(warmUpMs);
    const beside = await measure(stack, project, folder);
    greedy.kill();
    await once(greedy, 'exit');
    return Object.entries(beside).map(([name, ms]) => ({
      figure: `${name} while another caller does git and archives on ${connections} connections, against alone`,
      value: `${ms.toFixed(0)} ms`,
      floor: `${alone[name].toFixed(0)} ms`,
      ratio: alone[name] / ms,
      goal: 1 / 3,
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
