import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ask, newUser, root, uniqueName } from '../server/connection';
import { git, gitText, remoteUrl } from '../server/git';
import { makeSshKey } from './ssh-key';

/* Push rules and the checks of Git LFS on a push, with the messages that git shows. */

const folder = mkdtempSync(path.join(tmpdir(), 'moothall-push-rules-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function newProject(more: object = {}) {
  const user = await newUser('pusher');
  const project = await user.client.Projects.create({
    name: uniqueName('project'),
    initializeWithReadme: true,
    ...more,
  });
  const clone = path.join(folder, uniqueName('clone'));
  git(folder, ['clone', '--quiet', remoteUrl(project.path_with_namespace, user.username, user.token), clone]);
  return { user, project, clone };
}

function commit(clone: string, message: string, files: Record<string, string>): void {
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(clone, name), content);
  git(clone, ['add', '.']);
  git(clone, ['commit', '--quiet', '-m', message]);
}

/** @returns git's output for a refused push */
function refusal(clone: string, refs: string[], env: Record<string, string> = {}): string {
  const { status, stderr } = spawnSync('git', ['push', 'origin', ...refs], {
    cwd: clone,
    env: { ...process.env, ...env, GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_GLOBAL: '/dev/null' },
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  return stderr;
}

it('are created, read, changed and deleted', async () => {
  const { user, project } = await newProject();
  const { client } = user;
  expect(await client.ProjectPushRules.create(project.id, { maxFileSize: 5 })).toMatchObject({
    project_id: project.id,
    max_file_size: 5,
  });
  expect(await client.ProjectPushRules.edit(project.id, { memberCheck: true })).toMatchObject({
    member_check: true,
    max_file_size: 5,
  });
  expect(await client.ProjectPushRules.show(project.id)).toMatchObject({ member_check: true, deny_delete_tag: false });
  await expect(client.ProjectPushRules.create(project.id)).rejects.toMatchObject({
    cause: { response: { status: 422 } },
  });
  await client.ProjectPushRules.remove(project.id);
  await expect(client.ProjectPushRules.remove(project.id)).rejects.toMatchObject({
    cause: { response: { status: 404 } },
  });
});

it('of a group are the defaults of its new projects', async () => {
  const name = uniqueName('group');
  const group = await root.Groups.create(name, name);
  await root.GroupPushRules.create(group.id, { branchNameRegex: '^f/' });
  expect(await root.GroupPushRules.edit(group.id, { denyDeleteTag: true })).toMatchObject({ branch_name_regex: '^f/' });
  const project = await root.Projects.create({ name: uniqueName('project'), namespaceId: group.id });
  expect(await root.ProjectPushRules.show(project.id)).toMatchObject({
    branch_name_regex: '^f/',
    deny_delete_tag: true,
  });
  await root.GroupPushRules.remove(group.id);
  await expect(root.GroupPushRules.show(group.id)).rejects.toMatchObject({ cause: { response: { status: 404 } } });
});

it('refuse a whole push, over HTTP and SSH, with the reason', async () => {
  const { user, project, clone } = await newProject();
  git(clone, ['tag', 'old']);
  git(clone, ['push', '--quiet', 'origin', 'old']);
  await user.client.ProjectPushRules.create(project.id, {
    commitMessageRegex: '^fix: ',
    fileNameRegex: '\\.exe$',
    branchNameRegex: '^(fix|topic)/',
    denyDeleteTag: true,
    maxFileSize: 1,
  });
  git(clone, ['checkout', '--quiet', '-b', 'fix/a']);
  commit(clone, 'fix: fine', { a: 'a' });
  git(clone, ['branch', 'fix/fine']);
  commit(clone, 'wrong', { b: 'b' });
  const wrong = "Commit message does not follow the pattern '^fix: '";
  expect(refusal(clone, ['fix/fine', 'fix/a'])).toContain(`remote: ${wrong}`);
  expect(gitText(clone, ['ls-remote', 'origin', 'fix/*'])).toBe('');
  const key = makeSshKey(folder, uniqueName('key'));
  await user.client.UserSSHKeys.create('laptop', key.publicKey);
  git(clone, ['remote', 'set-url', '--push', 'origin', project.ssh_url_to_repo]);
  expect(refusal(clone, ['fix/a'], key.env)).toContain(`remote: ${wrong}`);
  git(clone, ['push', '--quiet', 'origin', 'fix/fine'], key.env);
  const { username, token } = user;
  git(clone, ['remote', 'set-url', '--push', 'origin', remoteUrl(project.path_with_namespace, username, token)]);
  expect(refusal(clone, ['fix/fine:other'])).toContain("Branch name 'other' does not follow the pattern");
  expect(refusal(clone, [':refs/tags/old'])).toContain('You cannot delete a tag');
  git(clone, ['reset', '--quiet', '--hard', 'fix/fine']);
  commit(clone, 'fix: more', { 'x.exe': 'x' });
  expect(refusal(clone, ['HEAD:fix/b'])).toContain("File name x.exe was prohibited by the pattern '\\.exe$'.");
  git(clone, ['reset', '--quiet', '--hard', 'fix/fine']);
  commit(clone, 'fix: large', { large: 'x'.repeat(1024 ** 2 + 1) });
  git(clone, ['rm', '--quiet', 'large']);
  git(clone, ['commit', '--quiet', '-m', 'fix: small again']);
  expect(refusal(clone, ['HEAD:fix/b'])).toContain('File "large" is larger than the allowed size of 1 MiB.');
}, 120_000);

it('refuse commits, branches and merges through the interface', async () => {
  const { user, project } = await newProject();
  const { client } = user;
  await client.Branches.create(project.id, 'topic', 'main');
  const change = [{ action: 'create' as const, filePath: 'a', content: 'a' }];
  await client.Commits.create(project.id, 'topic', 'anything', change);
  const request = await client.MergeRequests.create(project.id, 'topic', 'main', 'Any');
  await client.ProjectPushRules.create(project.id, { commitMessageRegex: '^fix: ', branchNameRegex: '^topic' });
  const refused = (description: string) => ({ cause: { description, response: { status: 400 } } });
  const wrong = "Commit message does not follow the pattern '^fix: '";
  await expect(
    client.Commits.create(project.id, 'main', 'wrong', [{ ...change[0]!, filePath: 'b' }]),
  ).rejects.toMatchObject(refused(wrong));
  await expect(client.Branches.create(project.id, 'other', 'main')).rejects.toMatchObject(
    refused("Branch name 'other' does not follow the pattern '^topic'"),
  );
  const merging = client.MergeRequests.merge(project.id, request.iid, { mergeCommitMessage: 'no' });
  await expect(merging).rejects.toMatchObject(refused(wrong));
  const seen = await client.MergeRequests.show(project.id, request.iid);
  expect([seen.state, seen.merge_error]).toEqual(['opened', expect.stringContaining(wrong)]);
  const merged = await client.MergeRequests.merge(project.id, request.iid, { mergeCommitMessage: 'fix: all' });
  expect(merged.state).toBe('merged');
}, 60_000);

it('apply to concurrent pushes', async () => {
  const { user, project, clone } = await newProject();
  await user.client.ProjectPushRules.create(project.id, { commitMessageRegex: '^fix: ' });
  const main = gitText(clone, ['rev-parse', 'HEAD']);
  const tries = Array.from({ length: 6 }, (_, n) => {
    git(clone, ['checkout', '--quiet', '-B', `b${n}`, main]);
    commit(clone, n % 2 ? `fix: ${n}` : `wrong ${n}`, { [`f${n}`]: `${n}` });
    return `b${n}`;
  });
  const { Branches, Commits } = user.client;
  const asked = tries.map((name, n) =>
    n % 3 === 0
      ? Commits.create(project.id, 'main', name, [{ action: 'create', filePath: name, content: '' }]).catch(() => null)
      : Promise.resolve(null),
  );
  for (const name of tries) spawnSync('git', ['push', '--quiet', 'origin', name], { cwd: clone });
  expect(await Promise.all(asked)).toEqual(tries.map(() => null));
  const names = (await Branches.all(project.id)).map(({ name }) => name);
  expect(names.sort()).toEqual(['b1', 'b3', 'b5', 'main']);
}, 60_000);

describe('a file that is stored with Git LFS', () => {
  const pointer = (content: string) =>
    `version https://git-lfs.github.com/spec/v1\noid sha256:${createHash('sha256').update(content).digest('hex')}\nsize ${content.length}\n`;

  it('has to be there', async () => {
    const { user, project, clone } = await newProject();
    commit(clone, 'a pointer', { 'a.bin': pointer('missing') });
    git(clone, ['rm', '--quiet', 'a.bin']);
    git(clone, ['commit', '--quiet', '-m', 'and away']);
    expect(refusal(clone, ['HEAD:main'])).toContain('remote: LFS objects are missing.');
    const oid = createHash('sha256').update('missing').digest('hex');
    const sent = await ask(`/${project.path_with_namespace}.git/info/lfs/objects/${oid}/7`, {
      method: 'PUT',
      body: 'missing',
      headers: { authorization: `Basic ${Buffer.from(`${user.username}:${user.token}`).toString('base64')}` },
    });
    expect(sent.status).toBe(200);
    git(clone, ['push', '--quiet', 'origin', 'HEAD:main']);
  });

  it('is not changed while another user has locked it', async () => {
    const { user, project, clone } = await newProject();
    const other = await newUser('locker');
    await user.client.ProjectMembers.add(project.id, 40, { userId: other.id });
    const authorization = `Basic ${Buffer.from(`${other.username}:${other.token}`).toString('base64')}`;
    const type = 'application/vnd.git-lfs+json';
    const lock = await ask(`/${project.path_with_namespace}.git/info/lfs/locks`, {
      method: 'POST',
      body: JSON.stringify({ path: 'README.md' }),
      headers: { authorization, accept: type, 'content-type': type },
    });
    expect(lock.status).toBe(201);
    const words = `'README.md' is locked in git-lfs by @${other.username}`;
    commit(clone, 'mine', { 'README.md': 'mine' });
    expect(refusal(clone, ['HEAD:topic'])).toContain(`remote: ${words}`);
    const edit = { branch: 'main', content: 'x', commit_message: 'x' };
    const editing = user.client.RepositoryFiles.edit(project.id, 'README.md', edit.branch, edit.content, 'x');
    await expect(editing).rejects.toMatchObject({ cause: { description: words, response: { status: 400 } } });
    await other.client.RepositoryFiles.edit(project.id, 'README.md', 'main', 'theirs', 'theirs');
  });
});
