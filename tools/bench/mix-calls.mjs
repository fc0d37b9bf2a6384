/**
 * The calls of the mix, on a server that this fills: of a hundred, 60 read issues, notes and similar, 26 read code, 13
 * write, and one reads the current user.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { api, withSignIn } from './stack.mjs';
import { git, gitAsync } from './transport.mjs';

const issuesEach = 30;
const notesEach = 25;
const commits = 60;
const branches = 20;
const text = 'Some words of a comment. '.repeat(10);

/** A linear history with occasional merges, files in folders, and branches, some of them unmerged. */
function writeHistory(work) {
  const run = (...args) => git(work, '-c', 'user.name=b', '-c', 'user.email=b@example.com', ...args);
  run('init', '-q', '-b', 'main');
  mkdirSync(path.join(work, 'src'));
  for (let at = 0; at < commits; at++) {
    writeFileSync(path.join(work, 'src', `file-${at}.txt`), `${text}\n`.repeat(8));
    run('add', '.');
    run('commit', '-q', '-m', `Change ${at}`);
    if (at % 10 === 9) {
      run('checkout', '-q', '-b', `topic-${at}`, 'HEAD~3');
      run('commit', '-q', '--allow-empty', '-m', `Topic ${at}`);
      run('checkout', '-q', 'main');
      run('merge', '-q', '--no-ff', '-m', `Merge ${at}`, `topic-${at}`);
    }
  }
  const merged = Math.floor(commits / 10);
  for (let at = merged; at < branches - 1; at++) {
    run('checkout', '-q', '-b', `open-${at}`, `main~${at}`);
    run('commit', '-q', '--allow-empty', '-m', `Open ${at}`);
  }
  run('checkout', '-q', 'main');
}

/** Texts of a project's issues, and of the notes of the first one. */
export const plannedIssues = Array.from({ length: issuesEach }, (_, issue) => ({
  title: `Issue ${issue}`,
  description: text,
  labels: ['one', `two-${issue % 3}`],
}));
export const plannedNotes = Array(notesEach).fill(text);

async function fillProject(stack, work, at) {
  const { id, path_with_namespace } = await api(stack, 'POST', '/projects', { name: `mix-${Date.now()}-${at}` });
  await gitAsync(work, ['push', '-q', withSignIn(stack, path_with_namespace), '--all']);
  const issues = `/projects/${id}/issues`;
  for (const issue of plannedIssues) await api(stack, 'POST', issues, { ...issue, labels: issue.labels.join() });
  for (const body of plannedNotes) await api(stack, 'POST', `${issues}/1/notes`, { body });
  for (let at = 10; at < 15; at++) {
    const source_branch = `open-${at}`;
    await api(stack, 'POST', `/projects/${id}/merge_requests`, { source_branch, target_branch: 'main', title: text });
  }
  return id;
}

/** @returns ids of the projects for the calls */
export async function fillForMix(stack, projects) {
  const work = mkdtempSync(path.join(tmpdir(), 'moothall-mix-'));
  try {
    writeHistory(work);
    const ids = [];
    while (ids.length < projects) ids.push(await fillProject(stack, work, ids.length));
    return ids;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const read = (name, share, pathOf) => ({ name, share, method: 'GET', pathOf });
const write = (method, name, share, pathOf, bodyOf) => ({ name, share, method, pathOf, bodyOf });

const newNote = () => ({ body: text });
const newIssue = () => ({ title: 'New', description: text });
// A different text each time: an unchanged value would not be a change.
const changedIssue = (any) => ({ description: `${text}${any}` });

/** `share` is in percent; `pathOf` and `bodyOf` get a random number. */
export const calls = [
  read('notes, 20', 16, (id) => `/projects/${id}/issues/1/notes`),
  read('issue', 12, (id, any) => `/projects/${id}/issues/${1 + (any % issuesEach)}`),
  read('issues, 20', 11, (id) => `/projects/${id}/issues`),
  read('project', 9, (id) => `/projects/${id}`),
  read('merge requests, 20', 7, (id) => `/projects/${id}/merge_requests`),
  read('statistics', 3, (id) => `/projects/${id}/issues_statistics`),
  read('projects, 20 full', 2, () => '/projects'),
  read('tree', 8, (id) => `/projects/${id}/repository/tree?path=src`),
  read('raw file', 7, (id, any) => `/projects/${id}/repository/files/src%2Ffile-${any % commits}.txt/raw?ref=main`),
  read('commits, 20', 6, (id) => `/projects/${id}/repository/commits`),
  read('branches', 5, (id) => `/projects/${id}/repository/branches`),
  write('POST', 'new note', 7, (id) => `/projects/${id}/issues/2/notes`, newNote),
  write('POST', 'new issue', 3, (id) => `/projects/${id}/issues`, newIssue),
  write('PUT', 'change of an issue', 3, (id, any) => `/projects/${id}/issues/${3 + (any % 20)}`, changedIssue),
  read('user', 1, () => '/user'),
];
