import path from 'node:path';
import { temporaryFolder } from '@moothall/processes';
import { connection, newUser, uniqueName } from '../server/connection';
import { program } from './programs';

/* Command lines of client libraries, and a client of GraphQL. */

jest.setTimeout(120_000);

const gitbeaker = program('gitbeaker', 'node_modules/@gitbeaker/cli/dist/index.mjs');
const python = program('python-gitlab', 'bin/gitlab', 'python3');

gitbeaker.test('@gitbeaker/cli makes a project and issues, and lists them', async () => {
  const user = await newUser();
  const folder = temporaryFolder('gitbeaker');
  const run = async (...args: string[]): Promise<unknown> => {
    const env = { GITBEAKER_HOST: connection.url, GITBEAKER_TOKEN: user.token };
    return JSON.parse(await gitbeaker.run(args, folder, env));
  };
  expect(await run('users', 'show-current-user')).toMatchObject({ username: user.username });
  const name = uniqueName('cli');
  const project = (await run('projects', 'create', `--name=${name}`, '--initialize-with-readme')) as { id: number };
  const id = `--project-id=${project.id}`;
  expect(await run('issues', 'create', id, '--title=It breaks', '--labels=bug')).toMatchObject({ labels: ['bug'] });
  expect(await run('issues', 'edit', id, '--issue-iid=1', '--state-event=close')).toMatchObject({ state: 'closed' });
  expect(await run('issues', 'all', id)).toMatchObject([{ title: 'It breaks' }]);
  expect(await run('branches', 'create', id, '--branch-name=topic', '--ref=main')).toMatchObject({ name: 'topic' });
  const request = ['--source-branch=topic', '--target-branch=main', '--title=Topic'];
  expect(await run('merge-requests', 'create', id, ...request)).toMatchObject({ iid: 1, state: 'opened' });
  await expect(run('projects', 'show', '--project-id=999999999')).rejects.toThrow(/Not Found/);
});

python.test("python-gitlab's command line does the same", async () => {
  const user = await newUser();
  const folder = temporaryFolder('python-gitlab');
  const raw = (...args: string[]) =>
    python.run(['--server-url', connection.url, '--private-token', user.token, ...args], folder, {
      PYTHONPATH: python.folder,
    });
  const run = async (...args: string[]): Promise<unknown> => JSON.parse(await raw('-o', 'json', ...args));
  expect(await run('current-user', 'get')).toMatchObject({ username: user.username });
  const name = uniqueName('cli');
  const made = ['project', 'create', '--name', name, '--initialize-with-readme', 'true'];
  const project = (await run(...made)) as { id: number; path_with_namespace: string };
  const id = ['--project-id', String(project.id)];
  const issue = ['project-issue', 'create', '--title', 'It breaks', '--labels', 'bug,new'];
  expect(await run(...issue, ...id)).toMatchObject({ labels: ['bug', 'new'] });
  expect(await run('project-issue', 'list', '--project-id', project.path_with_namespace)).toMatchObject([{ iid: 1 }]);
  expect(await raw('-v', 'project-label', 'create', '--name', 'x', '--color', '#ff0000', ...id)).toContain('name: x');
  const variable = ['project-variable', 'create', '--key', 'KEY', '--value', 'value'];
  expect(await run(...variable, ...id)).toMatchObject({ key: 'KEY', value: 'value' });
  expect(await run('project-branch', 'create', '--branch', 'topic', '--ref', 'main', ...id)).toMatchObject({
    name: 'topic',
  });
  const request = ['project-merge-request', 'create', '--source-branch', 'topic', '--target-branch', 'main'];
  expect(await run(...request, '--title', 'Topic', ...id)).toMatchObject({ iid: 1, state: 'opened' });
  expect(await raw('project', 'archive', '--id', String(project.id))).toBeDefined();
  await expect(raw('project', 'get', '--id', '999999999')).rejects.toThrow(/404 Project Not Found/);
});

const script = program('python-gitlab', path.join(__dirname, 'graphql-day.py'), 'python3');
script.test("python-gitlab's client of GraphQL", async () => {
  const user = await newUser();
  const project = await user.client.Projects.create({ name: uniqueName('graphql') });
  const args = [connection.url, user.token, project.path_with_namespace];
  const env = { PYTHONPATH: script.folder };
  expect(JSON.parse(await script.run(args, temporaryFolder('graphql'), env))).toMatchObject({
    currentUser: { username: user.username },
    project: { name: project.name },
    queryComplexity: { limit: 250 },
    refused: expect.stringContaining('Cannot query field'),
  });
});
