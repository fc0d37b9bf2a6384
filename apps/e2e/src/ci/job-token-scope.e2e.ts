import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { ask, connection, newUser, uniqueName } from '../server/connection';

/* Access of a job token to other projects, by @gitbeaker/rest and the runner of this repository. */

const runner = path.resolve(__dirname, '../../../../tools/runner.mjs');
let user: Awaited<ReturnType<typeof newUser>>;
let own: { id: number };
let other: { id: number; path_with_namespace: string };
let group: { id: number };
let runnerToken: string;

const newProject = (over: object = {}) =>
  user.client.Projects.create({ path: uniqueName('scoped'), visibility: 'private', ...over }) as unknown as Promise<
    typeof other
  >;

/** The output of a job that tests the access. */
async function said(): Promise<string[]> {
  const url = `http://gitlab-ci-token:$CI_JOB_TOKEN@$CI_SERVER_HOST:${new URL(connection.url).port}/${other.path_with_namespace}.git`;
  const api = `$CI_API_V4_URL/projects/${other.id}`;
  const status = (rest: string) => `"$(curl -s -o /dev/null -w '%{http_code}' -H "JOB-TOKEN: $CI_JOB_TOKEN" ${rest})"`;
  const script = [
    `if git ls-remote "${url}" > /dev/null 2>&1; then echo "said: clones"; else echo "said: does not clone"; fi`,
    `echo said: ${status(`"${api}/packages"`)}`,
    `echo said: ${status(`-T README.md "${api}/packages/generic/app/$CI_JOB_ID/a.txt"`)}`,
    `echo said: ${status(`"${api}/issues"`)}`,
  ];
  await user.client.Commits.create(own.id, 'main', 'Ask', [
    { action: 'create', filePath: `.gitlab-ci.yml`, content: JSON.stringify({ ask: { script } }) },
  ]).catch(() =>
    user.client.Commits.create(own.id, 'main', 'Ask', [
      {
        action: 'update',
        filePath: '.gitlab-ci.yml',
        content: JSON.stringify({ ask: { script: [...script, `# ${uniqueName('x')}`] } }),
      },
    ]),
  );
  const args = [runner, '--url', connection.url, '--token', runnerToken, '--once'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 60_000 });
  expect(await once(child, 'exit')).toEqual([0, null]);
  const [job] = await user.client.Jobs.all(own.id);
  const trace = await user.client.Jobs.showLog(own.id, job!.id);
  return [...trace.matchAll(/^said: (.+)$/gm)].map(([, what]) => what!);
}

beforeAll(async () => {
  user = await newUser('scoped');
  group = (await user.client.Groups.create(uniqueName('jobs'), uniqueName('jobs'))) as unknown as typeof group;
  own = await newProject({ namespaceId: group.id, initializeWithReadme: true });
  other = await newProject({ initializeWithReadme: true });
  const body = JSON.stringify({ runner_type: 'project_type', project_id: own.id });
  const headers = { 'content-type': 'application/json' };
  const made = await ask('/api/v4/user/runners', { method: 'POST', token: user.token, headers, body });
  runnerToken = ((await made.json()) as { token: string }).token;
});

const nothing = ['does not clone', '404', '404', '403'];
const all = ['clones', '200', '201', '403'];

it('is nothing unless the other project lets it in, by project, by group, or all', async () => {
  const { ProjectJobTokenScopes } = user.client;
  expect(await ProjectJobTokenScopes.show(other.id)).toEqual({ inbound_enabled: true, outbound_enabled: false });
  expect(await said()).toEqual(nothing);
  expect(await ProjectJobTokenScopes.addToInboundAllowList(other.id, own.id)).toEqual({
    ...{ source_project_id: other.id, target_project_id: own.id },
  });
  expect((await ProjectJobTokenScopes.showInboundAllowList(other.id)).map(({ id }) => id)).toEqual([other.id, own.id]);
  expect(await said()).toEqual(all);
  await ProjectJobTokenScopes.removeFromInboundAllowList(other.id, own.id);
  await ProjectJobTokenScopes.addToGroupsAllowList(other.id, group.id);
  expect(await ProjectJobTokenScopes.showGroupsAllowList(other.id)).toMatchObject([{ id: group.id }]);
  expect(await said()).toEqual(all);
  await ProjectJobTokenScopes.removeFromGroupsAllowList(other.id, group.id);
  expect(await said()).toEqual(nothing);
  await ProjectJobTokenScopes.edit(other.id, false);
  expect(await said()).toEqual(all);
  await ProjectJobTokenScopes.edit(other.id, true);
});

it('is limited to public content if the other project is public', async () => {
  await user.client.Projects.edit(other.id, { visibility: 'public' });
  expect(await said()).toEqual(['clones', '200', '403', '403']);
});
