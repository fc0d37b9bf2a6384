import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connection, newUser, uniqueName } from '../server/connection';
import { git, remoteUrl } from '../server/git';
import { makeSshKey } from './ssh-key';

/* A push of a new branch shows where to open a merge request for it, and one of any branch its open merge request. */

const folder = mkdtempSync(path.join(tmpdir(), 'moothall-invitation-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const title = 'To create a merge request for';

/** A project, and a clone of it with another commit. */
async function newProject(settings = {}) {
  const user = await newUser('pusher');
  const key = makeSshKey(folder, uniqueName('key'));
  await user.client.UserSSHKeys.create('laptop', key.publicKey);
  const name = uniqueName('project');
  const project = await user.client.Projects.create({ name, initializeWithReadme: true, ...settings });
  const [fullPath, clone] = [String(project.path_with_namespace), path.join(folder, name)];
  const remotes = { http: remoteUrl(fullPath, user.username, user.token), ssh: project.ssh_url_to_repo };
  git(folder, ['clone', '--quiet', remotes.http, clone]);
  git(clone, ['commit', '--quiet', '--allow-empty', '-m', 'Another']);
  /** @returns what git shows */
  const push = (how: keyof typeof remotes, ...refs: string[]): string =>
    execFileSync('sh', ['-c', 'git push "$@" 2>&1', 'sh', remotes[how], ...refs], {
      ...{ cwd: clone, encoding: 'utf8' },
      env: { ...process.env, ...key.env, GIT_TERMINAL_PROMPT: '0' },
    });
  const address = (branch: string) =>
    `${connection.url}/${fullPath}/-/merge_requests/new?merge_request%5Bsource_branch%5D=${encodeURIComponent(branch)}`;
  const open = (sourceBranch: string, targetBranch = 'main') =>
    user.client.MergeRequests.create(project.id, sourceBranch, targetBranch, 'A change');
  return {
    push,
    address,
    open,
    close: (iid: number) => user.client.MergeRequests.edit(project.id, iid, { stateEvent: 'close' }),
  };
}

it.each(['http', 'ssh'] as const)('is shown over %s, once, also for unusual names', async (how) => {
  const { push, address } = await newProject();
  const shown = push(how, 'HEAD:refs/heads/fix/ü#1&\u009b');
  expect(shown).toMatch(/^remote: *\nremote: To create/m);
  expect(shown).toContain(`remote: ${title} fix/ü#1&\ufffd, visit:`);
  expect(shown).toMatch(/remote: {3}http/);
  expect(shown).toContain(`  ${address('fix/ü#1&\u009b')}`);
  expect(push(how, '+HEAD~1:refs/heads/fix/ü#1&\u009b')).not.toContain(title);
});

it.each(['http', 'ssh'] as const)('leads to the open merge request over %s', async (how) => {
  const { push, open, close } = await newProject();
  push(how, 'HEAD:refs/heads/fix/ü', 'HEAD~1:refs/heads/stable');
  await open('fix/ü');
  const newest = await open('fix/ü', 'stable');
  const view = 'View merge request for';
  const shown = push(how, '+HEAD~1:refs/heads/fix/ü', 'HEAD:refs/heads/other');
  expect(shown).toMatch(new RegExp(`^remote: ${view} fix/ü: *\nremote: {3}${newest.web_url} *$`, 'm'));
  expect(shown).toContain(`remote: ${title} other, visit:`);
  expect(shown).not.toContain(`${title} fix/ü`);
  expect(push(how, '-o', 'merge_request.create', 'HEAD:refs/heads/fix/ü')).toContain(`${view} fix/ü:`);
  for (const iid of [newest.iid, newest.iid - 1]) await close(iid);
  expect(push(how, '+HEAD~1:refs/heads/fix/ü')).not.toContain(view);
  expect(push(how, 'HEAD:main')).not.toContain(view);
});

it('is not shown for the default branch, tags, deletions and many branches', async () => {
  const { push } = await newProject();
  expect(push('http', 'HEAD:refs/heads/a').split(title)).toHaveLength(2);
  expect(push('http', 'HEAD:main', 'HEAD:refs/tags/v1', ':refs/heads/a')).not.toContain(title);
  const branches = ['b', 'c', 'd', 'e'].map((name) => `HEAD:refs/heads/${name}`);
  expect(push('http', ...branches)).not.toContain(title);
});

it('is not shown in a project without merge requests, nor for a first branch', async () => {
  const { push } = await newProject({ mergeRequestsAccessLevel: 'disabled' });
  expect(push('http', 'HEAD:refs/heads/a')).not.toContain(title);
  const empty = await newUser('pusher');
  const project = await empty.client.Projects.create({ name: uniqueName('empty') });
  const remote = remoteUrl(String(project.path_with_namespace), empty.username, empty.token);
  const from = path.join(folder, uniqueName('first'));
  git(folder, ['init', '--quiet', '--initial-branch', 'main', from]);
  git(from, ['commit', '--quiet', '--allow-empty', '-m', 'First']);
  const options = { cwd: from, encoding: 'utf8' } as const;
  const shown = execFileSync('sh', ['-c', 'git push "$0" HEAD:main HEAD:other 2>&1', remote], options);
  expect(shown).toContain('main');
  expect(shown).not.toContain(title);
});
