import { ask, newUser, uniqueName } from '../server/connection';
import { until } from '../server/until';

/* Child pipelines, and delayed jobs, by @gitbeaker/rest. */

const build = JSON.stringify({ build: { script: 'make' } });

it('triggers a pipeline elsewhere and a child, after a while, and waits for it', async () => {
  const { client, token } = await newUser('trigger');
  const made = async (files: Record<string, string>) => {
    const { id, path_with_namespace } = await client.Projects.create({ path: uniqueName('downstream') });
    const actions = Object.entries(files).map(([filePath, content]) => ({
      action: 'create' as const,
      filePath,
      content,
    }));
    await client.Commits.create(id, 'main', 'Add files', actions);
    return { id, path: String(path_with_namespace) };
  };
  const other = await made({ '.gitlab-ci.yml': build });
  const file = {
    stages: ['first', 'second'],
    elsewhere: { stage: 'first', trigger: other.path, variables: { FROM: '$CI_PROJECT_PATH' } },
    child: {
      stage: 'second',
      trigger: { include: 'child.yml', strategy: 'depend' },
      when: 'delayed',
      start_in: '1 second',
    },
  };
  const project = await made({ '.gitlab-ci.yml': JSON.stringify(file), 'child.yml': build });
  const pipeline = await until('the pipeline of the push', async () => (await client.Pipelines.all(project.id))[0]);
  const bridges = () => client.Jobs.allPipelineBridges(project.id, pipeline.id);
  const waiting = await until('both pipelines', async () => {
    const all = await bridges();
    return all.every(({ downstream_pipeline }) => downstream_pipeline) ? all : undefined;
  });
  expect(waiting).toMatchObject([
    { name: 'child', status: 'running', downstream_pipeline: { source: 'parent_pipeline', sha: pipeline.sha } },
    { name: 'elsewhere', status: 'success', downstream_pipeline: { project_id: other.id, source: 'pipeline' } },
  ]);
  const [child, elsewhere] = waiting;
  const variables = await client.Pipelines.allVariables(other.id, elsewhere!.downstream_pipeline.id);
  expect(variables).toMatchObject([{ key: 'FROM', value: project.path }]);
  await client.Pipelines.cancel(project.id, Number(child!.downstream_pipeline.id));
  await until('the end of the job', async () => (await bridges())[0]?.status === 'canceled' || undefined);
  const stranger = await newUser('stranger');
  const address = `/api/v4/projects/${project.id}/pipelines/${pipeline.id}/bridges`;
  expect((await ask(address, { token: stranger.token })).status).toBe(404);
  expect((await ask(address, { token })).status).toBe(200);
});
