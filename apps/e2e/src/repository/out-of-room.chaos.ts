import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SmallDisk } from '@moothall/testing';
import { git, gitText } from '../server/git';
import { OwnServer } from '../server/own-server';

/* Storages on full disks: writes are refused, nothing is lost, and with free space everything works again. */

const work = mkdtempSync(path.join(tmpdir(), 'moothall-full-'));
const [disk, other, reason] = mountDisks();
afterAll(() => rmSync(work, { recursive: true, force: true }));

function mountDisks(): [SmallDisk, SmallDisk, undefined] | [undefined, undefined, string] {
  try {
    return [SmallDisk.mount(64), SmallDisk.mount(16), undefined];
  } catch (error) {
    return [undefined, undefined, (error as Error).message.trim()];
  }
}

if (disk) withDisks(disk, other);
else
  it(`is not tested, as this user may not mount a disk: ${reason}`, () => {
    expect(reason).toMatch(/mount/);
  });

function withDisks(first: SmallDisk, second: SmallDisk): void {
  const server = new OwnServer({
    GIT_STORAGES: `default=${first.folder}/git,second=${second.folder}/git`,
    ARCHIVE_RATE_LIMIT: '0',
    REPOSITORY_SIZE_LIMIT: '8MB',
    STORAGE_MOVE_GRACE: '1',
  });
  beforeAll(() => server.start());
  afterEach(() => {
    first.makeRoom();
    second.makeRoom();
  });
  afterAll(async () => {
    await server.stop();
    first.unmount();
    second.unmount();
  });

  const remote = (name: string): string => {
    const url = new URL(`${server.url}/root/${name}.git`);
    url.username = 'root';
    url.password = server.token;
    return url.href;
  };
  let made = 0;
  async function newProject() {
    const name = `full-${made++}`;
    const body = { name, initialize_with_readme: true };
    const { id } = (await server.api('POST', '/projects', body)) as { id: number };
    return { name, base: `/projects/${id}` };
  }
  const headOf = async (base: string) =>
    ((await server.api('GET', `${base}/repository/branches/main`)) as { commit: { id: string } }).commit.id;

  it('refuses a push, and accepts it when there is space', async () => {
    const { name, base } = await newProject();
    const clone = path.join(work, name);
    git(work, ['clone', '--quiet', remote(name), clone]);
    const before = gitText(clone, ['rev-parse', 'HEAD']);
    writeFileSync(path.join(clone, 'big.bin'), randomBytes(4 << 20));
    git(clone, ['add', '.']);
    git(clone, ['commit', '--quiet', '-m', 'big']);
    first.fill();
    expect(() => git(clone, ['push', 'origin', 'main'])).toThrow(/no space left|unpack/i);
    expect(await headOf(base)).toBe(before);
    first.makeRoom();
    git(clone, ['push', '--quiet', 'origin', 'main']);
    expect(await headOf(base)).toBe(gitText(clone, ['rev-parse', 'HEAD']));
    git(work, ['clone', '--quiet', '--bare', remote(name), path.join(work, `${name}-again`)]);
  });

  it('refuses a push over the size limit with a reason, and accepts a smaller one', async () => {
    const { name, base } = await newProject();
    const clone = path.join(work, name);
    git(work, ['clone', '--quiet', remote(name), clone]);
    const commit = (file: string, bytes: number) => {
      writeFileSync(path.join(clone, file), randomBytes(bytes));
      git(clone, ['add', '.']);
      git(clone, ['commit', '--quiet', '-m', file]);
    };
    commit('too-big.bin', 9 << 20);
    expect(() => git(clone, ['push', 'origin', 'main'])).toThrow(/maximum allowed size|size limit/);
    git(clone, ['reset', '--quiet', '--hard', 'origin/main']);
    commit('fits.bin', 6 << 20);
    git(clone, ['push', '--quiet', 'origin', 'main']);
    commit('more.bin', 6 << 20);
    expect(() => git(clone, ['push', 'origin', 'main'])).toThrow(/maximum allowed size|size limit/);
    expect(await headOf(base)).toBe(gitText(clone, ['rev-parse', 'HEAD~1']));
  });

  const writes: [string, string, string, object][] = [
    [
      'a commit through the interface',
      'POST',
      '/repository/commits',
      {
        branch: 'main',
        commit_message: 'm',
        actions: [{ action: 'create', file_path: 'a.txt', content: randomBytes(100_000).toString('hex') }],
      },
    ],
    ['a file', 'POST', '/repository/files/b.txt', { branch: 'main', commit_message: 'm', content: 'b' }],
    ['a branch', 'POST', '/repository/branches', { branch: 'topic', ref: 'main' }],
    ['an annotated tag', 'POST', '/repository/tags', { tag_name: 'v1', ref: 'main', message: 'm' }],
    ['the first page of a wiki', 'POST', '/wikis', { title: 'Home', content: 'Text' }],
  ];
  it.each(writes)('refuses %s, and accepts it when there is space', async (_what, method, rest, body) => {
    const { base } = await newProject();
    const before = await headOf(base);
    first.fill();
    await expect(server.api(method, base + rest, body)).rejects.toThrow(/507 .*Insufficient Storage/);
    expect(await headOf(base)).toBe(before);
    first.makeRoom();
    await server.api(method, base + rest, body);
  });

  it('keeps the pages of a wiki', async () => {
    const { base } = await newProject();
    await server.api('POST', `${base}/wikis`, { title: 'Home', content: 'Text' });
    first.fill();
    const change = { title: 'Home', content: 'Other' };
    await expect(server.api('PUT', `${base}/wikis/Home`, change)).rejects.toThrow(/507 /);
    expect(await server.api('GET', `${base}/wikis/Home`)).toMatchObject({ content: 'Text' });
    first.makeRoom();
    expect(await server.api('PUT', `${base}/wikis/Home`, change)).toMatchObject({ content: 'Other' });
  });

  it('makes no project, and makes it once there is room', async () => {
    first.fill();
    const body = { name: 'no-room', initialize_with_readme: true };
    await expect(server.api('POST', '/projects', body)).rejects.toThrow(/507 /);
    first.makeRoom();
    await server.api('POST', '/projects', body);
    expect(await server.api('GET', '/projects/root%2Fno-room/repository/files/README.md?ref=main')).toBeTruthy();
  });

  it('sends archives that it cannot cache', async () => {
    const { name, base } = await newProject();
    first.fill();
    for (let turn = 0; turn < 2; turn++) {
      const answer = await fetch(`${server.url}/api/v4${base}/repository/archive.tar.gz`, {
        headers: { 'private-token': server.token },
      });
      const file = path.join(work, `${name}.tar.gz`);
      writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
      expect(gitText(work, ['-c', 'alias.list=!tar tzf', 'list', file])).toContain('README.md');
    }
  });

  it('moves no repository to a full storage, and leaves it unchanged', async () => {
    const { base } = await newProject();
    const before = await headOf(base);
    second.fill();
    const moves = `${base}/repository_storage_moves`;
    const { id } = (await server.api('POST', moves, { destination_storage_name: 'second' })) as { id: number };
    await ended(`${moves}/${id}`, 'failed');
    expect(await headOf(base)).toBe(before);
    const file = { branch: 'main', commit_message: 'm', content: 'x' };
    await server.api('POST', `${base}/repository/files/after.txt`, file);
    second.makeRoom();
    const again = (await server.api('POST', moves, { destination_storage_name: 'second' })) as { id: number };
    await ended(`${moves}/${again.id}`, 'finished');
    expect(await server.api('GET', `${base}/repository/files/after.txt?ref=main`)).toBeTruthy();
  });

  async function ended(move: string, as: string): Promise<void> {
    for (let state = ''; !/finished|failed/.test(state); ) {
      state = ((await server.api('GET', move)) as { state: string }).state;
      if (/finished|failed/.test(state)) expect(state).toBe(as);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
