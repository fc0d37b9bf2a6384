import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { Gitlab } from '@gitbeaker/rest';
import { removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import { type Moothall, startMoothall } from '../../../standalone/clients/node';

/* Servers for one run each, as tests of other programs start them (docs/testing-with-moothall.md). */

jest.setTimeout(300_000);

const root = path.resolve(__dirname, '../../../..');
const clients = path.join(root, 'apps/standalone/clients');
const seed = path.join(__dirname, 'seed.yaml');
const run = promisify(execFile);
/** As many processes on every machine. */
const env = { PROCESSES: '2' };

describe('a server that begins with a seed', () => {
  let server: Moothall;
  beforeAll(async () => {
    server = await startMoothall({ seed, env });
  });
  afterAll(() => server?.stop());

  const as = (token: string) => new Gitlab({ host: server.url, token });

  it('knows its people by the tokens of the seed', async () => {
    const [alice, bob] = [as('glpat-alice-000000000000'), as('glpat-bob-00000000000000')];
    expect(await alice.Users.showCurrentUser()).toMatchObject({ username: 'alice', name: 'Alice Liddell' });
    expect(await bob.Users.showCurrentUser()).toMatchObject({ id: server.seed.users.bob });
    expect(await alice.GroupMembers.all('tools')).toMatchObject([
      { username: 'root' },
      { username: 'alice', access_level: 50 },
      { username: 'bob', access_level: 30 },
    ]);
  });

  it('has its projects, with what is in them', async () => {
    const { Projects, Repositories, RepositoryFiles, Branches, Tags } = as(server.token);
    const id = server.seed.projects['tools/web/site']!;
    expect(await Projects.show(id)).toMatchObject({ path_with_namespace: 'tools/web/site', merge_method: 'ff' });
    const tree = await Repositories.allRepositoryTrees(id, { recursive: true, ref: 'next' });
    expect(tree.map((entry) => entry.path).sort()).toEqual(['README.md', 'bin', 'bin/run', 'logo.png', 'more.txt']);
    expect(tree.find((entry) => entry.path === 'bin/run')).toMatchObject({ mode: '100755' });
    expect(await RepositoryFiles.showRaw(id, 'README.md', 'topic')).toBe('# Another\n');
    expect((await Branches.all(id)).map(({ name }) => name).sort()).toEqual(['main', 'next', 'topic']);
    expect(await Tags.all(id)).toMatchObject([{ name: 'v1.0' }]);
    const { ProjectVariables, GroupVariables } = as(server.token);
    expect(await ProjectVariables.all(id)).toMatchObject([{ key: 'DEPLOY_TO', value: 'staging' }]);
    expect(await GroupVariables.all('tools')).toMatchObject([{ key: 'REGION', value: 'north' }]);
    expect(await Projects.show('alice/own')).toMatchObject({ visibility: 'private', owner: { username: 'alice' } });
  });

  it('has its issues and merge requests, by whom the seed says', async () => {
    const { Issues, IssueNotes, MergeRequests } = as(server.token);
    const projectId = server.seed.projects['tools/web/site']!;
    expect(await Issues.all({ projectId, sort: 'asc' })).toMatchObject([
      {
        author: { username: 'bob' },
        assignees: [{ username: 'alice' }],
        labels: ['bug'],
        milestone: { title: 'First' },
      },
      { author: { username: 'root' }, state: 'closed' },
    ]);
    const notes = await IssueNotes.all(projectId, 1);
    expect(notes.filter(({ system }) => !system)).toMatchObject([
      { body: 'Since when?', author: { username: 'alice' } },
    ]);
    expect(await MergeRequests.all({ projectId })).toMatchObject([
      {
        author: { username: 'bob' },
        reviewers: [{ username: 'alice' }],
        source_branch: 'topic',
        target_branch: 'main',
      },
    ]);
  });

  it('has runners, whose tokens it tells', async () => {
    const [runner] = server.seed.runners;
    const body = new URLSearchParams({ token: runner!.token });
    expect((await fetch(`${server.url}/api/v4/runners/verify`, { method: 'POST', body })).status).toBe(200);
  });
});

/** What `npm start -- --ephemeral` runs, with the end of whoever started it. */
function launch(...args: string[]) {
  const child = spawn(process.execPath, [path.join(root, 'tools/start.mjs'), '--ephemeral', ...args], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let words = '';
  child.stderr.on('data', (text) => {
    words += text;
  });
  const exited = once(child, 'exit').then(([code]) => ({ code, words }));
  const ready = once(child.stdout, 'data').then(([line]) => JSON.parse(String(line)));
  return { child, exited, ready };
}

it('goes with the process that started it, and leaves nothing', async () => {
  const { child, exited, ready } = launch('--until-eof');
  const { places, url, seed: sown } = await ready;
  expect(sown).toBeUndefined();
  const folder = path.dirname(places.objects);
  expect(existsSync(folder)).toBe(true);
  child.stdin.end();
  expect((await exited).code).toBe(0);
  expect(existsSync(folder)).toBe(false);
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});

it('says in which line of the seed stands what it refuses, and leaves nothing', async () => {
  const folder = temporaryFolder('seed');
  const file = path.join(folder, 'seed.yaml');
  writeFileSync(file, 'groups:\n  - path: tools\nprojects:\n  - path: tools/a\n  - path: tools/a\n');
  const { code, words } = await launch('--seed', file).exited;
  expect(code).toBe(1);
  expect(words).toMatch(/seed\.yaml:[45]: POST \/projects: 400 .*has already been taken/);
  const tokens = 'tokens: [{ token: glpat-twice-00000000000 }]';
  writeFileSync(file, `users:\n  - username: alice\n    ${tokens}\n  - username: bob\n    ${tokens}\n`);
  expect((await launch('--seed', file).exited).words).toMatch(/seed\.yaml:[35]: .*has already been taken/);
  await removeTemporaryFolder(folder);
});

/** Left out where the language is missing. */
function whereThereIs(program: string, ...args: string[]) {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return it;
  } catch {
    console.warn(`Left out: ${[program, ...args].join(' ')} fails here.`);
    return it.skip;
  }
}

const folderFor = (language: string): string => {
  const folder = temporaryFolder(language);
  cpSync(path.join(clients, language), folder, { recursive: true });
  return folder;
};

whereThereIs(
  'python3',
  '-m',
  'pytest',
  '--version',
)('serves the tests of pytest', async () => {
  const folder = folderFor('python');
  writeFileSync(path.join(folder, 'conftest.py'), 'from moothall import moothall\n');
  writeFileSync(
    path.join(folder, 'test_bob.py'),
    `import json, urllib.request

def test_bob(moothall):
    request = urllib.request.Request(moothall["url"] + "/api/v4/user", headers={"PRIVATE-TOKEN": "glpat-bob-00000000000000"})
    assert json.load(urllib.request.urlopen(request))["id"] == moothall["seed"]["users"]["bob"]
`,
  );
  const { stdout } = await run('python3', ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', folder], {
    cwd: folder,
    env: { ...process.env, ...env, MOOTHALL: root, MOOTHALL_SEED: seed },
  });
  expect(stdout).toContain('1 passed');
  await removeTemporaryFolder(folder);
});

whereThereIs('go', 'version')('serves the tests of Go', async () => {
  const folder = folderFor('go');
  writeFileSync(
    path.join(folder, 'bob_test.go'),
    // Nothing of HTTP, which takes a minute to compile where nobody has yet.
    `package moothall

import "testing"

func TestBob(t *testing.T) {
	server := Start(t, ${JSON.stringify(root)}, ${JSON.stringify(seed)})
	if server.URL == "" || server.Seed.Users["bob"] != 3 || server.Seed.Runners[0].Token == "" {
		t.Fatal(server)
	}
}
`,
  );
  const { stdout } = await run('go', ['test', '-v', '-vet=off', '-count=1', './...'], {
    cwd: folder,
    env: { ...process.env, ...env, GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local', CGO_ENABLED: '0' },
  });
  expect(stdout).toContain('--- PASS: TestBob');
  await removeTemporaryFolder(folder);
});
