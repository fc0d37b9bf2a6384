import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { ask, newUser, uniqueName } from '../server/connection';
import { until } from '../server/until';
import { newRunner, runOneJob } from './run-job';

/* A job that the runner of this repository executes, with only what the server gives it. */

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

it('creates the release of its job, and reports its deployment', async () => {
  const { client, token } = await newUser('releaser');
  const { id } = await client.Projects.create({ path: uniqueName('released') });
  const job = {
    // Otherwise the tag of the release, which is a push like any other, has a pending job of its own.
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

it('authenticates by an id token, and runs a hook before it fetches its sources', async () => {
  const { client, token, username } = await newUser('federated');
  const { id, path_with_namespace: project } = await client.Projects.create({ path: uniqueName('federated') });
  const job = {
    hooks: { pre_get_sources_script: ['echo "sources: $(ls | wc -l)" > "$CI_PROJECT_DIR/../hook.txt"'] },
    id_tokens: { CLOUD: { aud: 'https://$CI_PROJECT_NAME.example.com' } },
    // The plain value is masked.
    script: [
      'cat "$CI_PROJECT_DIR/../hook.txt"',
      'echo "masked $CLOUD"',
      'echo "token:$(printf %s "$CLOUD" | base64 -w0)"',
    ],
  };
  await client.Commits.create(id, 'main', 'Add a job', [
    { action: 'create', filePath: '.gitlab-ci.yml', content: JSON.stringify({ build: job }) },
  ]);
  await runOneJob(await newRunner(id, token));
  const [ran] = await client.Jobs.all(id);
  const trace = await client.Jobs.showLog(id, ran!.id);
  expect([ran!.status, trace]).toEqual(['success', expect.stringContaining('\nmasked [MASKED]\n')]);
  expect(trace).toContain('\nsources: 0\n');
  const [, hidden] = /^token:(\S+)$/m.exec(trace) ?? [];
  const jwt = Buffer.from(hidden ?? '', 'base64').toString();
  const [head, body, signature] = jwt.split('.');
  const { kid } = JSON.parse(Buffer.from(head!, 'base64url').toString());
  const configuration = (await (await ask('/.well-known/openid-configuration')).json()) as { jwks_uri: string };
  const { keys } = (await (await ask(new URL(configuration.jwks_uri).pathname)).json()) as { keys: { kid: string }[] };
  const key = createPublicKey({ key: keys.find((one) => one.kid === kid) as JsonWebKey, format: 'jwk' });
  expect(verify('RSA-SHA256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature!, 'base64url'))).toBe(true);
  expect(JSON.parse(Buffer.from(body!, 'base64url').toString())).toMatchObject({
    sub: `project_path:${project}:ref_type:branch:ref:main`,
    aud: `https://${project.split('/')[1]}.example.com`,
    ...{ project_id: String(id), project_path: project, user_login: username, user_access_level: 'owner' },
    ...{ ref: 'main', ref_path: 'refs/heads/main', pipeline_source: 'push', job_id: String(ran!.id) },
    ci_config_ref_uri: expect.stringMatching(/\/\/\.gitlab-ci\.yml@refs\/heads\/main$/),
  });
});
