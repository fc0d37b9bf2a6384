import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { ask, connection, newUser, uniqueName } from '../server/connection';
import { until } from '../server/until';

/* A job that the runner of this repository works off, with nothing but what the server gives it. */

const runner = path.resolve(__dirname, '../../../../tools/runner.mjs');

async function runOneJob(token: string): Promise<void> {
  const args = [runner, '--url', connection.url, '--token', token, '--once'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 60_000 });
  expect(await once(child, 'exit')).toEqual([0, null]);
}

async function newRunner(projectId: number, token: string): Promise<string> {
  const body = JSON.stringify({ runner_type: 'project_type', project_id: projectId });
  const headers = { 'content-type': 'application/json' };
  const response = await ask('/api/v4/user/runners', { method: 'POST', token, headers, body });
  expect(response.status).toBe(201);
  return ((await response.json()) as { token: string }).token;
}

const refused = (command: string): string => `if ${command}; then exit 1; else echo refused; fi`;

it('fetches its private project with the token of its job, by which it reaches no other and changes nothing', async () => {
  const { client, token } = await newUser('builder');
  const newProject = () => client.Projects.create({ path: uniqueName('private'), visibility: 'private' });
  const [own, other] = [await newProject(), await newProject()];
  const script = [
    'cat greeting.txt',
    'git ls-remote --exit-code "$CI_REPOSITORY_URL" HEAD',
    refused(`git ls-remote "$(printf %s "$CI_REPOSITORY_URL" | sed 's#${own.path}#${other.path}#')"`),
    refused('git push "$CI_REPOSITORY_URL" HEAD:refs/heads/pushed'),
  ];
  await client.Commits.create(own.id, 'main', 'Add a job', [
    { action: 'create', filePath: 'greeting.txt', content: 'hello from the project\n' },
    { action: 'create', filePath: '.gitlab-ci.yml', content: JSON.stringify({ build: { script } }) },
  ]);
  await runOneJob(await newRunner(own.id, token));
  const [job] = await client.Jobs.all(own.id);
  const trace = await client.Jobs.showLog(own.id, job!.id);
  expect([job!.status, trace]).toEqual(['success', expect.stringContaining('\nhello from the project\n')]);
  expect(trace.match(/^refused$/gm)).toHaveLength(2);
});

it('makes the release that its job describes, and says where it deployed', async () => {
  const { client, token } = await newUser('releaser');
  const { id } = await client.Projects.create({ path: uniqueName('released') });
  const job = {
    // Else the tag of the release, which is a push like any other, has a job of its own that waits.
    rules: [{ if: '$CI_COMMIT_BRANCH' }],
    script: ['echo "$CI_ENVIRONMENT_TIER"'],
    environment: { name: 'production', url: 'https://$CI_PROJECT_NAME.example.com' },
    release: {
      tag_name: 'v$CI_PIPELINE_IID',
      description: 'All of "it", $(echo nothing run)',
      assets: { links: [{ name: 'app', url: 'https://example.com/$CI_COMMIT_REF_NAME' }] },
    },
  };
  await client.Commits.create(id, 'main', 'Add a job', [
    { action: 'create', filePath: '.gitlab-ci.yml', content: JSON.stringify({ publish: job }) },
  ]);
  await runOneJob(await newRunner(id, token));
  const [ran] = await client.Jobs.all(id);
  expect([ran!.status, await client.Jobs.showLog(id, ran!.id)]).toEqual([
    'success',
    expect.stringContaining('\nproduction\n'),
  ]);
  expect(await client.ProjectReleases.show(id, 'v1')).toMatchObject({
    description: 'All of "it", $(echo nothing run)',
    commit: { id: ran!.commit.id },
    assets: { links: [{ name: 'app', url: 'https://example.com/main' }] },
  });
  const [environment] = await client.Environments.all(id);
  await until('the deployment', async () => {
    const { last_deployment } = await client.Environments.show(id, environment!.id);
    return (last_deployment as { status: string } | null)?.status === 'success';
  });
});
