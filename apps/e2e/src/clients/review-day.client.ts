import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@moothall/processes';
import { connection, newUser, uniqueName } from '../server/connection';
import { until } from '../server/until';
import { program } from './programs';

/* Programs that review or create merge requests. */

jest.setTimeout(120_000);

const danger = program('danger', 'node_modules/danger/distribution/commands/danger.js');
const renovate = program('renovate', 'node_modules/renovate/dist/renovate.js');

const rules = `
const { git, gitlab } = danger;
message(git.created_files.join() + ' new, ' + git.modified_files.join() + ' changed by ' + gitlab.mr.author.username);
warn('Look here', 'more.txt', 1);
schedule(async () => {
  message('It says ' + (await gitlab.utils.fileContents('more.txt')).trim());
  message('Added ' + (await git.diffForFile('README.md')).added.trim());
});
`;

danger.test('danger comments on a merge request and on its lines, and takes up its comments again', async () => {
  const user = await newUser();
  const { client } = user;
  const project = await client.Projects.create({ name: uniqueName('danger'), initializeWithReadme: true });
  await client.Commits.create(
    project.id,
    'topic',
    'More',
    [
      { action: 'create', filePath: 'more.txt', content: 'more\n' },
      { action: 'update', filePath: 'README.md', content: 'Changed\n' },
    ],
    { startBranch: 'main' },
  );
  const { iid } = await client.MergeRequests.create(project.id, 'topic', 'main', 'More');
  const folder = temporaryFolder('danger');
  writeFileSync(path.join(folder, 'dangerfile.js'), rules);
  const url = `${connection.url}/${project.path_with_namespace}`;
  const env = {
    ...{ CI: 'true', GITLAB_CI: 'true', CI_MERGE_REQUEST_IID: String(iid) },
    ...{ CI_PROJECT_PATH: project.path_with_namespace, CI_PROJECT_URL: url },
    ...{ CI_MERGE_REQUEST_PROJECT_PATH: project.path_with_namespace, CI_MERGE_REQUEST_PROJECT_URL: url },
    ...{ DANGER_GITLAB_API_TOKEN: user.token, DANGER_GITLAB_HOST: connection.url },
    DANGER_GITLAB_API_BASE_URL: `${connection.url}/api/v4`,
  };
  const said = async () => {
    const discussions = await client.MergeRequestDiscussions.all(project.id, iid);
    return discussions.flatMap(({ notes }) => notes ?? []).filter(({ system }) => !system);
  };

  await danger.run(['ci'], folder, env);
  const first = await said();
  expect(first.map(({ position }) => (position as { new_path: string } | undefined)?.new_path)).toEqual(
    expect.arrayContaining([undefined, 'more.txt']),
  );
  const text = first.map(({ body }) => body).join('\n');
  for (const fact of [`more.txt new, README.md changed by ${user.username}`, 'It says more', 'Look here', 'Changed']) {
    expect(text).toContain(fact);
  }

  writeFileSync(path.join(folder, 'dangerfile.js'), rules.replace('It says', 'It still says'));
  await danger.run(['ci'], folder, env);
  const second = await said();
  expect(second).toHaveLength(first.length);
  expect(second.map(({ body }) => body).join('\n')).toContain('It still says more');
});

renovate.test('renovate introduces itself, and then brings a newer version in a merge request', async () => {
  const user = await newUser();
  const { client } = user;
  const shared = await client.Projects.create({ name: uniqueName('shared'), initializeWithReadme: true });
  await client.Tags.create(shared.id, 'v1.0.0', 'main');
  await client.Tags.create(shared.id, 'v1.1.0', 'main');
  const project = await client.Projects.create({ name: uniqueName('renovate'), initializeWithReadme: true });
  const include = `include:\n  - project: ${shared.path_with_namespace}\n    ref: v1.0.0\n    file: ci.yml\n`;
  await client.Commits.create(project.id, 'main', 'Include [skip ci]', [
    { action: 'create', filePath: '.gitlab-ci.yml', content: include },
  ]);
  const folder = temporaryFolder('renovate');
  const run = () =>
    renovate.run(['--platform=gitlab', '--enabled-managers=gitlabci-include', project.path_with_namespace], folder, {
      RENOVATE_TOKEN: user.token,
      RENOVATE_ENDPOINT: `${connection.url}/api/v4`,
      RENOVATE_BASE_DIR: folder,
      RENOVATE_ONBOARDING_CONFIG: '{"extends":[":dependencyDashboard"],"labels":["dependencies"]}',
    });
  const opened = () => client.MergeRequests.all({ projectId: project.id, state: 'opened' });

  await run();
  const [introduction] = await opened();
  expect(introduction).toMatchObject({ title: 'Configure Renovate', source_branch: 'renovate/configure' });
  await until('the merge', async () => {
    const merged = await client.MergeRequests.merge(project.id, introduction!.iid).catch(() => undefined);
    return merged?.state === 'merged';
  });

  await run();
  const [request] = await opened();
  expect(request).toMatchObject({ title: expect.stringMatching(/to v1\.1\.0$/), labels: ['dependencies'] });
  const changed = await client.RepositoryFiles.showRaw(project.id, '.gitlab-ci.yml', request!.source_branch);
  expect(String(changed)).toContain('ref: v1.1.0');
  expect(await client.Issues.all({ projectId: project.id })).toMatchObject([{ title: 'Dependency Dashboard' }]);
});
