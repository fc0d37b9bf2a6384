import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import { type Moothall, startMoothall } from '../../../../clients/node';
import { until } from '../server/until';

/* The examples of README and docs, run unmodified on a server with the example seed. */

jest.setTimeout(300_000);

const root = path.resolve(__dirname, '../../../..');
const read = (page: string): string => readFileSync(path.join(root, page), 'utf8');
const pages = ['README.md', ...['docs', 'docs/api'].flatMap((folder) => pagesIn(folder))];

function pagesIn(folder: string): string[] {
  const names = readdirSync(path.join(root, folder)).filter((name) => name.endsWith('.md'));
  return names.map((name) => path.join(folder, name));
}

/** A command begins an indented line; a backslash at its end continues it in the next. */
const commandsOf = (page: string): string[] =>
  [...read(page).matchAll(/^ {4,}((?:curl|git clone) (?:.*\\\n)*.*)$/gm)].map(([, command = '']) => command);

const codeOf = (page: string, language: string): string => {
  const [, code] = new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'm').exec(read(page)) ?? [];
  if (code === undefined) throw new Error(`${page} has no example in ${language}`);
  return code;
};

const commands = pages.flatMap((page) => commandsOf(page).map((command) => [page, command] as const));
const isReset = ([, command]: readonly [string, string]): boolean => command.includes('/-/reset');

let folder: string;
let server: Moothall;
let env: NodeJS.ProcessEnv;

async function call(method: string, where: string, body?: object, token = server.token) {
  const headers = { 'private-token': token, 'content-type': 'application/json' };
  const sent = body && { body: JSON.stringify(body) };
  const answer = await fetch(`${server.url}/api/v4${where}`, { method, headers, ...sent });
  if (!answer.ok) throw new Error(`${method} ${where}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** The environment of a running job; and the files that the examples send. */
async function startJob(): Promise<NodeJS.ProcessEnv> {
  const id = server.seed.projects['tools/web/site']!;
  const content = 'build:\n  tags: [linux]\n  script: [make]\n';
  await call('POST', `/projects/${id}/repository/files/.gitlab-ci.yml`, {
    ...{ branch: 'main', commit_message: 'Build', content },
  });
  const { token } = server.seed.runners[0]!;
  const job = await until('a job', async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${server.url}/api/v4/jobs/request`, {
      ...{ method: 'POST', headers, body: JSON.stringify({ token }) },
    });
    return answer.status === 201 ? ((await answer.json()) as { token: string }) : undefined;
  });
  const form = new FormData();
  form.set('name', 'app.jks');
  form.set('file', new Blob(['x']), 'app.jks');
  const secure = await fetch(`${server.url}/api/v4/projects/${id}/secure_files`, {
    ...{ method: 'POST', headers: { 'private-token': server.token }, body: form },
  });
  const { id: ID } = (await secure.json()) as { id: number };
  writeFileSync(path.join(folder, 'app.zip'), 'x');
  writeFileSync(
    path.join(folder, 'gl-sast-report.json'),
    '{"version":"14.0.4","scan":{"type":"sast"},"vulnerabilities":[]}',
  );
  return {
    ...{ CI_API_V4_URL: `${server.url}/api/v4`, CI_JOB_TOKEN: job.token, CI_PROJECT_ID: String(id) },
    ...{ CI_COMMIT_REF_NAME: 'main', ID: String(ID) },
  };
}

beforeAll(async () => {
  folder = temporaryFolder('examples');
  const seed = path.join(folder, 'seed.yaml');
  writeFileSync(seed, codeOf('docs/testing-with-moothall.md', 'yaml'));
  server = await startMoothall({ seed, env: { PROCESSES: '2' } });
  env = { ...process.env, URL: server.url, TOKEN: server.token, ...(await startJob()) };
});
afterAll(async () => {
  await server?.stop();
  await removeTemporaryFolder(folder);
});

const run = (program: string, args: string[]) => promisify(execFile)(program, args, { cwd: folder, env });

it.each(commands.filter((one) => !isReset(one)))('%s: %s', async (_page, command) => {
  await run('bash', ['-c', command.replace('curl', 'curl --fail-with-body --silent --show-error')]);
});

it('README: the example of a client', async () => {
  const project = path.join(folder, 'project');
  mkdirSync(project);
  symlinkSync(path.join(root, 'node_modules'), path.join(project, 'node_modules'));
  writeFileSync(path.join(project, 'example.mjs'), codeOf('README.md', 'js'));
  const { stdout } = await run(process.execPath, [path.join(project, 'example.mjs')]);
  expect(stdout).toContain("'Second', 'First'");
});

it('docs/testing-with-moothall.md: the example of a reset', async () => {
  const [, command] = commands.find(isReset)!;
  await run('bash', ['-c', command.replace('curl', 'curl --fail-with-body --silent --show-error')]);
  const projects = (await call('GET', '/projects')) as { path_with_namespace: string }[];
  expect(projects.map((one) => one.path_with_namespace)).toEqual(['tools/web/site']);
});
