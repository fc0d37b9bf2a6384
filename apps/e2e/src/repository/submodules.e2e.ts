import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newUser, uniqueName } from '../server/connection';
import { git, gitText, remoteUrl } from '../server/git';

const folder = mkdtempSync(path.join(tmpdir(), 'moothall-submodules-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [one, two] = ['1'.repeat(40), '2'.repeat(40)];
const refused = (status: number) => ({ cause: { response: { status } } });

it('a submodule is written at its path, and no other file becomes one', async () => {
  const { client, username, token } = await newUser('submodule');
  const project = await client.Projects.create({ name: uniqueName('project'), initializeWithReadme: true });
  const clone = path.join(folder, 'clone');
  git(folder, ['clone', '--quiet', remoteUrl(project.path_with_namespace, username, token), clone]);
  git(clone, ['update-index', '--add', '--cacheinfo', `160000,${one},libs/part`]);
  git(clone, ['commit', '--quiet', '-m', 'add a part']);
  git(clone, ['push', '--quiet', 'origin', 'HEAD']);
  const edit = (submodule: string, sha: string, options = {}) =>
    client.RepositorySubmodules.edit(project.id, submodule, 'main', sha, options);
  expect(await edit('libs/part', two)).toMatchObject({ message: `Update submodule libs/part with oid ${two}` });
  git(clone, ['fetch', '--quiet']);
  expect(gitText(clone, ['ls-tree', 'origin/main', 'libs/part'])).toBe(`160000 commit ${two}\tlibs/part`);
  await expect(edit('libs/part', two)).rejects.toMatchObject(refused(400));
  await expect(edit('README.md', two)).rejects.toMatchObject(refused(400));
  await expect(edit('libs', two)).rejects.toMatchObject(refused(400));
  const tries = await Promise.allSettled(['3', '4', '5'].map((digit) => edit('libs/part', digit.repeat(40))));
  expect(tries.some(({ status }) => status === 'fulfilled')).toBe(true);
}, 60_000);

it('a merge request names commits for its readers, each once', async () => {
  const { client } = await newUser('context');
  const project = await client.Projects.create({ name: uniqueName('project'), initializeWithReadme: true });
  const change = [{ action: 'create' as const, filePath: 'a', content: 'a' }];
  const { id: sha } = await client.Commits.create(project.id, 'topic', 'one', change, { startBranch: 'main' });
  const { id: other } = (await client.Commits.all(project.id, { refName: 'main' }))[0]!;
  const { iid } = await client.MergeRequests.create(project.id, 'topic', 'main', 'Context');
  const add = (commits: string[]) =>
    client.MergeRequestContextCommits.create(project.id, commits, { mergerequestIId: iid });
  const ids = async () => (await client.MergeRequestContextCommits.all(project.id, iid)).map(({ id }) => id);
  expect(await add([other])).toMatchObject([{ id: other }]);
  await expect(add([other])).rejects.toMatchObject(refused(400));
  await expect(add([one])).rejects.toMatchObject(refused(400));
  const tries = await Promise.allSettled([add([sha]), add([sha]), add([sha])]);
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await ids()).toEqual([other, sha]);
  await client.MergeRequestContextCommits.remove(project.id, iid, { searchParams: { commits: other } } as object);
  expect(await ids()).toEqual([sha]);
}, 60_000);
