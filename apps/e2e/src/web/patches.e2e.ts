import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import { PageVisitor } from '../identity/page-visitor';
import { connection, newUser, root, uniqueName } from '../server/connection';
import { git } from '../server/git';

/* Patches, diffs and archives at addresses for browsers; git applies what it gets there. */

const folder = temporaryFolder('patches');
const visitor = new PageVisitor();
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
let base: string;
let id: number;

const inFolder = (...args: string[]) => git(folder, args).toString();

beforeAll(async () => {
  const user = await newUser('patcher');
  await visitor.signIn(user.username, user.password);
  const name = uniqueName('patches');
  const project = await root.Projects.create({ name, path: name, visibility: 'private' });
  id = project.id;
  base = `/${project.path_with_namespace}/-`;
  await root.ProjectMembers.add(id, 20, { userId: user.id });
  const file = (filePath: string, content: string, encoding: 'text' | 'base64' = 'text') => ({
    ...{ action: 'create' as const, filePath, content, encoding },
  });
  await root.Commits.create(id, 'main', 'Begin', [file('a.txt', 'one\n')]);
  await root.Branches.create(id, 'feature/x', 'main');
  await root.Commits.create(id, 'feature/x', 'Add a picture', [file('dot.png', png, 'base64')]);
  await root.Commits.create(id, 'feature/x', 'Change: ä <b>\n\nMore words.', [
    { action: 'update', filePath: 'a.txt', content: 'one\ntwo\n' },
  ]);
  await root.MergeRequests.create(id, 'feature/x', 'main', 'A request');
  await root.Commits.create(id, 'main', 'Go on', [file('b.txt', 'later\n')]);
  inFolder('init', '--quiet', '--initial-branch=main');
});
afterAll(() => removeTemporaryFolder(folder));

const download = async (below: string) => {
  const answer = await visitor.load(`${base}/${below}`);
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
};

/** A file of the folder with the answer. */
async function saved(below: string): Promise<string> {
  const { answer, bytes } = await download(below);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const file = path.join(folder, 'saved');
  writeFileSync(file, bytes);
  return file;
}

it('git builds a branch from the patches of its first commit and of a merge request', async () => {
  const [first] = (await root.Commits.all(id, { refName: 'main', perPage: 100 })).slice(-1);
  inFolder('am', await saved(`commit/${first!.id}.patch`));
  inFolder('am', await saved('merge_requests/1.patch'));
  expect(inFolder('log', '--format=%s|%b', '--encoding=UTF-8')).toBe(
    'Change: ä <b>|More words.\n\nAdd a picture|\nBegin|\n',
  );
  expect(readFileSync(path.join(folder, 'dot.png')).toString('base64')).toBe(png);
  const branch = await root.Branches.show(id, 'feature/x');
  const tree = await root.Repositories.allRepositoryTrees(id, { ref: branch.commit.id });
  expect(inFolder('ls-tree', 'HEAD').match(/[\da-f]{40}/g)).toEqual(tree.map((entry) => entry.id));
});

it('a diff is of all changes of a merge request, or of a commit', async () => {
  const whole = readFileSync(await saved('merge_requests/1.diff'), 'utf8');
  expect(whole.match(/^diff --git .*/gm)).toEqual(['diff --git a/a.txt b/a.txt', 'diff --git a/dot.png b/dot.png']);
  const last = (await root.Branches.show(id, 'feature/x')).commit.id;
  const one = readFileSync(await saved(`commit/${last}.diff`), 'utf8');
  expect(one.match(/^diff --git .*/gm)).toEqual(['diff --git a/a.txt b/a.txt']);
  expect(await (await visitor.load(`${base}/commit/${last}`)).text()).toContain(`/-/commit/${last}.patch"`);
});

it('an archive is of a branch, a tag or a commit', async () => {
  const { answer, bytes } = await download('archive/feature/x/any-name.zip');
  expect([answer.status, bytes.subarray(0, 2).toString()]).toEqual([200, 'PK']);
  expect(answer.headers.get('content-disposition')).toContain('-feature-x-');
  const gzipped = await download('archive/main/a.tar.gz');
  expect(gzipped.bytes.subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
  const text = await (await visitor.load(`${base}/tree/feature/x`)).text();
  const [, link] = /href="([^"]*\/-\/archive\/[^"]*\.tar)"/.exec(text)!;
  expect((await download(link!.slice(base.length + 1))).bytes.toString('latin1')).toContain('dot.png');
});

it.each(['commit/none.patch', 'merge_requests/9.diff', 'archive/none/a.zip', 'archive/main', 'archive/main/a.exe'])(
  'there is nothing at %s',
  async (below) => {
    expect((await download(below)).answer.status).toBe(404);
  },
);

it('strangers get nothing of a private project', async () => {
  for (const below of ['commit/main.patch', 'merge_requests/1.diff', 'archive/main/a.zip'])
    expect([below, (await fetch(`${connection.url}${base}/${below}`)).status]).toEqual([below, 404]);
});
