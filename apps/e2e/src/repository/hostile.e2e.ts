import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ask, newUser, uniqueName } from '../server/connection';
import { git, gitText, remoteUrl } from '../server/git';
import { makeSshKey } from './ssh-key';

/* Hostile requests for repositories and wikis: refused clearly, nothing changed, and the next valid request works. */

const folder = mkdtempSync(path.join(tmpdir(), 'moothall-hostile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function withClone() {
  const user = await newUser('hostile');
  const project = await user.client.Projects.create({ name: uniqueName('project'), initializeWithReadme: true });
  const remote = remoteUrl(String(project.path_with_namespace), user.username, user.token);
  const clone = path.join(folder, uniqueName('clone'));
  git(folder, ['clone', '--quiet', remote, clone]);
  return { ...user, project, remote, clone };
}
type Cloned = Awaited<ReturnType<typeof withClone>>;

/** Pushes one valid commit, and reads it back. */
async function requireWhole({ clone, client, project }: Cloned): Promise<void> {
  git(clone, ['commit', '--quiet', '--allow-empty', '-m', 'good']);
  git(clone, ['push', '--quiet', 'origin', 'HEAD:main']);
  expect((await client.Branches.show(project.id, 'main')).commit.id).toBe(gitText(clone, ['rev-parse', 'HEAD']));
}

const packet = (text: string) => (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text;

/** A push of one branch in git's format, with any bytes as pack. */
function pushRequest(refName: string, after: string, pack: Buffer): Buffer {
  const command = packet(`${'0'.repeat(40)} ${after} ${refName}\0 report-status side-band-64k agent=hostile`);
  return Buffer.concat([Buffer.from(`${command}0000`), pack]);
}

async function send({ project, token, username }: Cloned, body: Buffer): Promise<string> {
  const sign = Buffer.from(`${username}:${token}`).toString('base64');
  const answer = await ask(`/${project.path_with_namespace}.git/git-receive-pack`, {
    method: 'POST',
    body: new Uint8Array(body),
    headers: { authorization: `Basic ${sign}`, 'content-type': 'application/x-git-receive-pack-request' },
  });
  expect(answer.status).toBe(200);
  return answer.text();
}

/** A pack that git made, of one new commit. */
function goodPack(clone: string): { id: string; pack: Buffer } {
  git(clone, ['commit', '--quiet', '--allow-empty', '-m', uniqueName('packed')]);
  const id = gitText(clone, ['rev-parse', 'HEAD']);
  const pack = execFileSync('git', ['pack-objects', '--revs', '--stdout', '-q'], { cwd: clone, input: `${id}\n` });
  return { id, pack };
}

const broken: [string, (pack: Buffer) => Buffer][] = [
  ['of no bytes', () => Buffer.alloc(0)],
  ['of noise', () => Buffer.from('PACK, but not really')],
  ['cut off', (pack) => pack.subarray(0, pack.length - 30)],
  ['with a bit turned over', (pack) => Buffer.from(pack.map((byte, index) => (index === 20 ? byte ^ 4 : byte)))],
  [
    'that promises a billion objects',
    (pack) => Buffer.concat([pack.subarray(0, 8), Buffer.from([59, 154, 202, 0]), pack.subarray(12)]),
  ],
];
it.each(broken)('refuses a pack %s', async (_what, spoil) => {
  const cloned = await withClone();
  const { id, pack } = goodPack(cloned.clone);
  expect(await send(cloned, pushRequest('refs/heads/bad', id, spoil(pack)))).toMatch(
    /unpack (?!ok)|ng refs\/heads\/bad/,
  );
  await expect(cloned.client.Branches.show(cloned.project.id, 'bad')).rejects.toThrow(/404/);
  await requireWhole(cloned);
});

it('refuses a commit whose tree is missing', async () => {
  const cloned = await withClone();
  const raw = `tree ${'1'.repeat(40)}\nauthor A <a@example.com> 1 +0000\ncommitter A <a@example.com> 1 +0000\n\nx\n`;
  const id = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], {
    cwd: cloned.clone,
    input: raw,
  })
    .toString()
    .trim();
  const pack = execFileSync('git', ['pack-objects', '--stdout', '-q'], { cwd: cloned.clone, input: `${id}\n` });
  expect(await send(cloned, pushRequest('refs/heads/bad', id, pack))).toMatch(/unpack (?!ok)|ng refs\/heads\/bad/);
  await requireWhole(cloned);
});

it.each([
  'refs/secret/x',
  'refs/merge-sources/1',
  'refs/heads/HEAD',
  `refs/heads/${'a'.repeat(40)}`,
  'refs/tags/-x',
  'refs/heads/../../config',
  'refs/heads/a..b',
  'refs/heads/x.lock',
])('refuses a push to %s, over HTTP and SSH', async (refName) => {
  const cloned = await withClone();
  const { id, pack } = goodPack(cloned.clone);
  expect(await send(cloned, pushRequest(refName, id, pack))).toMatch(/ng .*branches/);
  const key = makeSshKey(folder, uniqueName('key'));
  await cloned.client.UserSSHKeys.create('laptop', key.publicKey);
  const over = () => git(cloned.clone, ['push', String(cloned.project.ssh_url_to_repo), `HEAD:${refName}`], key.env);
  expect(over).toThrow(/rejected|refspec|not a valid ref|invalid/);
  await requireWhole(cloned);
});

it('returns the reason over SSH also to a client that is still sending a refused push', async () => {
  const cloned = await withClone();
  writeFileSync(path.join(cloned.clone, 'large.bin'), randomBytes(8 << 20));
  git(cloned.clone, ['add', 'large.bin']);
  git(cloned.clone, ['commit', '--quiet', '-m', 'large']);
  const key = makeSshKey(folder, uniqueName('key'));
  await cloned.client.UserSSHKeys.create('laptop', key.publicKey);
  const over = () =>
    git(cloned.clone, ['push', String(cloned.project.ssh_url_to_repo), 'HEAD:refs/secret/large'], key.env);
  for (let round = 0; round < 3; round += 1) expect(over).toThrow(/rejected/);
  await requireWhole(cloned);
});

it('refuses a push past all folders', async () => {
  const cloned = await withClone();
  const { id, pack } = goodPack(cloned.clone);
  for (const name of ['config', 'HEAD', '../outside', '/etc/x'])
    expect(await send(cloned, pushRequest(name, id, pack))).toMatch(/ng .*only branches, tags and notes/);
  await requireWhole(cloned);
});

it.each([
  ['..', /blank/],
  ['../..', /blank/],
  ['...', /blank/],
  ['///', /blank/],
  ['/', /blank/],
  ['a/../b', /invalid/],
  ['.git/config', /invalid/],
  ['a\\..\\b', /invalid/],
  ['x'.repeat(246), /245/],
])('refuses a wiki page titled %j', async (title, words) => {
  const { client, project } = await withClone();
  await client.ProjectWikis.create(project.id, 'Text', 'Home');
  await expect(client.ProjectWikis.create(project.id, 'Text', title)).rejects.toThrow(words);
  expect((await client.ProjectWikis.all(project.id)).map(({ slug }) => slug)).toEqual(['Home']);
});

it('refuses a wiki page of 100 MB, as JSON and as a form', async () => {
  const { client, project, token } = await withClone();
  const page = { title: 'Huge', content: 'x'.repeat(100 << 20) };
  for (const [type, body] of [
    ['application/json', JSON.stringify(page)],
    ['application/x-www-form-urlencoded', new URLSearchParams(page).toString()],
  ] as const) {
    const status = await ask(`/api/v4/projects/${project.id}/wikis`, {
      method: 'POST',
      token,
      body,
      headers: { 'content-type': type },
    }).then(
      (answer) => answer.status,
      // A server that has refused may stop reading.
      (error: unknown) => String((error as Error).cause),
    );
    expect(String(status)).toMatch(/413|EPIPE|ECONNRESET|other side closed/);
  }
  expect(await client.ProjectWikis.all(project.id)).toEqual([]);
  await client.ProjectWikis.create(project.id, 'Text', 'Home');
});

it('serves a wiki into which a page of 100 MB was pushed', async () => {
  const { client, project, username, token } = await withClone();
  const wiki = path.join(folder, uniqueName('wiki'));
  git(folder, ['clone', '--quiet', remoteUrl(`${project.path_with_namespace}.wiki`, username, token), wiki]);
  writeFileSync(path.join(wiki, 'Huge.md'), 'x'.repeat(100 << 20));
  writeFileSync(path.join(wiki, 'Home.md'), 'Text');
  git(wiki, ['add', '.']);
  git(wiki, ['commit', '--quiet', '-m', 'pages']);
  git(wiki, ['push', '--quiet', 'origin', 'HEAD:master']);
  expect((await client.ProjectWikis.all(project.id)).map(({ slug }) => slug)).toEqual(['Home', 'Huge']);
  await expect(client.ProjectWikis.show(project.id, 'Huge')).rejects.toThrow(/Too Large/);
  expect(await client.ProjectWikis.show(project.id, 'Home')).toMatchObject({ content: 'Text' });
  const all = await client.ProjectWikis.all(project.id, { withContent: true });
  expect(all.map(({ slug, content }) => [slug, content])).toEqual([
    ['Home', 'Text'],
    ['Huge', undefined],
  ]);
});

it.each(['../../x', '/etc/passwd', '..\\..\\x', '.git/config', '...'])(
  'stores an attachment named %j in its own folder',
  async (filename) => {
    const { client, project } = await withClone();
    const attached = await client.ProjectWikis.uploadAttachment(project.id, { content: new Blob(['x']), filename });
    expect(attached.file_path).toMatch(/^uploads\/[0-9a-f]{32}\/[\w.-]+$/);
  },
);
