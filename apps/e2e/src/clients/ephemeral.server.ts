import { type ExecFileOptions, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { Gitlab } from '@gitbeaker/rest';
import { removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import { type Moothall, startMoothall } from '../../../../clients/node';

/* Ephemeral servers, as tests of other programs start them (docs/testing-with-moothall.md). */

jest.setTimeout(300_000);

const root = path.resolve(__dirname, '../../../..');
const clients = path.join(root, 'clients');
const seed = path.join(__dirname, 'seed.yaml');
/** The same number of processes on every machine. */
const env = { PROCESSES: '2' };

/** A program of tests, which prints what failed. */
async function run(
  program: string,
  args: readonly string[],
  options: ExecFileOptions = {},
): Promise<{ stdout: string }> {
  try {
    return await promisify(execFile)(program, args, { ...options, encoding: 'utf8' });
  } catch (error) {
    const { message, stdout } = error as Error & { stdout: string };
    throw new Error(`${message}${stdout}`, { cause: error });
  }
}

describe('a server that begins with a seed', () => {
  let server: Moothall;
  beforeAll(async () => {
    server = await startMoothall({ seed, env });
  });
  afterAll(() => server?.stop());

  const as = (token: string) => new Gitlab({ host: server.url, token });

  it('accepts the tokens of the seed', async () => {
    const [alice, bob] = [as('glpat-alice-000000000000'), as('glpat-bob-00000000000000')];
    expect(await alice.Users.showCurrentUser()).toMatchObject({ username: 'alice', name: 'Alice Liddell' });
    expect(await bob.Users.showCurrentUser()).toMatchObject({ id: server.seed.users.bob });
    expect(await alice.GroupMembers.all('tools')).toMatchObject([
      { username: 'root' },
      { username: 'alice', access_level: 50 },
      { username: 'bob', access_level: 30 },
    ]);
  });

  it('has its projects, with their content', async () => {
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

  it('has its issues and merge requests, with the authors of the seed', async () => {
    const { Issues, IssueNotes, MergeRequests } = as(server.token);
    const projectId = server.seed.projects['tools/web/site']!;
    expect(await Issues.all({ projectId, sort: 'asc' })).toMatchObject([
      {
        author: { username: 'bob' },
        assignees: [{ username: 'alice' }],
        labels: ['bug'],
        milestone: { title: 'First' },
        iteration: { title: 'June', state: 1, due_date: '2031-06-30' },
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

  it('has runners, and prints their tokens', async () => {
    const [runner] = server.seed.runners;
    const body = new URLSearchParams({ token: runner!.token });
    expect((await fetch(`${server.url}/api/v4/runners/verify`, { method: 'POST', body })).status).toBe(200);
  });

  const call = (method: string, where: string, body?: object, token = server.token) =>
    fetch(`${server.url}${where}`, {
      method,
      headers: { 'private-token': token, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const site = () => `/api/v4/projects/${server.seed.projects['tools/web/site']}`;
  /** Everything that clients see of a seed, except times of last activity. */
  const look = async () => {
    const seen = ['', '/issues', '/issues/1/notes', '/labels', '/merge_requests', '/repository/branches', '/wikis'];
    const everywhere = ['/projects', '/groups', '/users', '/runners/all', '/application/settings', '/events'];
    const answers = await Promise.all(
      [
        ...seen.map((path) => site() + path),
        `${site()}/repository/tree?recursive=true`,
        `${site()}/repository/commits?all=true`,
        `${site()}/variables`,
        `${site()}/members`,
        ...everywhere.map((path) => `/api/v4${path}`),
      ].map(async (path) => ({ path, answer: await (await call('GET', path)).json() })),
    );
    const changing = ['last_activity_at', 'last_activity_on', 'contacted_at', 'current_sign_in_at', 'last_sign_in_at'];
    return JSON.parse(JSON.stringify(answers, (key, value) => (changing.includes(key) ? undefined : value)));
  };
  const changeAll = async () => {
    const { users } = server.seed;
    const form = new FormData();
    form.append('file', new Blob(['x']), 'x.txt');
    const upload = fetch(`${server.url}${site()}/uploads`, {
      method: 'POST',
      headers: { 'private-token': server.token },
      body: form,
    });
    const actions = [
      { action: 'update', file_path: 'README.md', content: 'changed' },
      { action: 'create', file_path: 'new.txt', content: 'new' },
    ];
    const answers = [
      await call('POST', `${site()}/issues`, { title: 'New' }),
      await call('PUT', `${site()}/issues/1`, { title: 'Changed', state_event: 'close', labels: 'other' }),
      await call('POST', `${site()}/issues/1/notes`, { body: 'New' }),
      await call('POST', `${site()}/repository/commits`, { branch: 'main', commit_message: 'Change', actions }),
      await call('POST', `${site()}/repository/branches`, { branch: 'fresh', ref: 'main' }),
      await call('DELETE', `${site()}/repository/branches/next`),
      await call('POST', `${site()}/wikis`, { title: 'Home', content: 'Home' }),
      await call('PUT', site(), { description: 'Changed', visibility: 'public' }),
      await call('DELETE', '/api/v4/projects/alice%2Fown'),
      await call('POST', '/api/v4/projects', { name: 'fresh', initialize_with_readme: true }),
      await call('POST', '/api/v4/groups', { name: 'fresh', path: 'fresh-group' }),
      await call('PUT', '/api/v4/application/settings', { signup_enabled: true, default_projects_limit: 7 }),
      await call('DELETE', '/api/v4/personal_access_tokens/self', undefined, 'glpat-bob-00000000000000'),
      await call('DELETE', `/api/v4/users/${users.bob}`),
      await upload,
    ];
    expect(answers.map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
    return (await answers[0]!.json()) as { id: number; iid: number };
  };

  it('is reset to its initial data, several times', async () => {
    const before = await look();
    const issues: { id: number; iid: number }[] = [];
    for (let time = 0; time < 2; time++) {
      issues.push(await changeAll());
      await server.reset();
      expect(await look()).toEqual(before);
      expect((await call('GET', '/api/v4/user', undefined, 'glpat-bob-00000000000000')).status).toBe(200);
    }
    // Numbers within a project start again, ids do not: a stale id never refers to another record.
    expect(issues[1]!.iid).toBe(issues[0]!.iid);
    expect(issues[1]!.id).toBeGreaterThan(issues[0]!.id);
    const folder = temporaryFolder('clone');
    const origin = `${server.url.replace('://', `://root:${server.token}@`)}/tools/web/site.git`;
    await run('git', ['-C', folder, 'clone', '--quiet', origin, 'site']);
    expect((await run('git', ['-C', path.join(folder, 'site'), 'branch', '--remotes'])).stdout).not.toContain('fresh');
    await removeTemporaryFolder(folder);
  });

  it('answers requests during a reset', async () => {
    const before = await look();
    const asking = Array.from({ length: 20 }, (_, n) => call('POST', `${site()}/issues`, { title: `At once ${n}` }));
    await Promise.all([server.reset(), server.reset()]);
    const statuses = (await Promise.all(asking)).map(({ status }) => status);
    expect(statuses).toEqual(statuses.map(() => 201));
    await server.reset();
    expect(await look()).toEqual(before);
  });

  it('is not set back while something does not end', async () => {
    const title = 'Kept';
    expect((await call('POST', `${site()}/issues`, { title })).status).toBe(201);
    const headers = { 'private-token': server.token, 'content-type': 'application/json' };
    const slow = request(`${server.url}/api/v4/projects`, { method: 'POST', headers }).on('error', () => undefined);
    await new Promise((resolve) => slow.write('{', resolve));
    await expect(server.reset()).rejects.toThrow('503');
    slow.destroy();
    const issues = (await (await call('GET', `${site()}/issues`)).json()) as { title: string }[];
    expect(issues.map((issue) => issue.title)).toContain(title);
    await server.reset();
  });

  it('is reset by administrators only', async () => {
    const asAlice = await call('POST', '/-/reset', undefined, 'glpat-alice-000000000000');
    expect(asAlice.status).toBe(403);
    expect((await fetch(`${server.url}/-/reset`, { method: 'POST' })).status).toBe(401);
  });
});

/** The command of `npm start -- --ephemeral`, and the end of its parent process. */
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

it('ends with the process that started it, and leaves nothing', async () => {
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

it('reports the line of an error in the seed, and leaves nothing', async () => {
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

/** Skipped if the language is missing. */
function whereThereIs(program: string, ...args: string[]) {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return it;
  } catch {
    console.warn(`Left out: ${[program, ...args].join(' ')} fails here.`);
    return it.skip;
  }
}

/** A copy of the client's folder, so that output of its tools does not get into the checkout. */
const folderFor = (language: string): string => {
  const folder = temporaryFolder(language);
  cpSync(path.join(clients, language), folder, { recursive: true });
  return folder;
};
const withServer = { ...process.env, ...env, MOOTHALL: root };

whereThereIs(
  'python3',
  '-m',
  'pytest',
  '--version',
)('serves the tests of pytest', async () => {
  const folder = folderFor('python');
  const installed = path.join(folder, 'installed');
  await run('python3', ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', installed, folder]);
  const tests = path.join(folder, 'tests');
  mkdirSync(tests);
  writeFileSync(
    path.join(tests, 'test_bob.py'),
    `import json, urllib.request

def test_bob(fresh_moothall):
    request = urllib.request.Request(fresh_moothall["url"] + "/api/v4/user", headers={"PRIVATE-TOKEN": "glpat-bob-00000000000000"})
    assert json.load(urllib.request.urlopen(request))["id"] == fresh_moothall["seed"]["users"]["bob"]
`,
  );
  const { stdout } = await run('python3', ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', tests], {
    cwd: tests,
    env: { ...withServer, PYTHONPATH: installed, MOOTHALL_SEED: seed },
  });
  expect(stdout).toContain('1 passed');
  await removeTemporaryFolder(folder);
});

whereThereIs('go', 'version')('serves the tests of Go', async () => {
  const folder = folderFor('go');
  const { stdout } = await run('go', ['test', '-v', '-vet=off', '-count=1', './...'], {
    cwd: folder,
    env: { ...withServer, GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local', CGO_ENABLED: '0' },
  });
  expect(stdout).toContain('--- PASS: TestStart');
  await removeTemporaryFolder(folder);
});

whereThereIs('mvn', '--version')('serves the tests of JUnit', async () => {
  const folder = folderFor('java');
  const { stdout } = await run('mvn', ['--batch-mode', '--no-transfer-progress', 'test'], {
    cwd: folder,
    env: withServer,
  });
  expect(stdout).toContain('Tests run: 2, Failures: 0, Errors: 0, Skipped: 0');
  await removeTemporaryFolder(folder);
});
