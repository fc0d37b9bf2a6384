import { newUser, uniqueName } from '../server/connection';

/* Commit statuses of external build servers, by @gitbeaker/rest. */

it('Commits: report statuses, list them, and see them in the pipeline of the commit', async () => {
  const { client } = await newUser('reporter');
  const { id } = await client.Projects.create({ name: uniqueName('reported'), initializeWithReadme: true });
  const sha = (await client.Branches.show(id, 'main')).commit.id as string;
  expect(await client.Commits.allStatuses(id, sha)).toEqual([]);

  const begun = await client.Commits.editStatus(id, sha, 'running', {
    context: 'ci/elsewhere',
    targetUrl: 'https://ci.example.com/1',
    description: 'Half of it',
  });
  expect(begun).toMatchObject({ status: 'running', name: 'ci/elsewhere', sha, ref: 'main', description: 'Half of it' });
  const again = client.Commits.editStatus(id, 'main', 'running', { context: 'ci/elsewhere' });
  await expect(again).rejects.toMatchObject({
    cause: { description: expect.stringContaining('via :run from :running') },
  });
  await client.Commits.editStatus(id, 'main', 'success', { context: 'ci/elsewhere', coverage: 93.5 });
  await client.Commits.editStatus(id, sha, 'failed', { context: 'lint' });

  const [reported, lint] = await client.Commits.allStatuses(id, sha);
  expect(reported).toMatchObject({
    id: begun.id,
    status: 'success',
    coverage: 93.5,
    target_url: 'https://ci.example.com/1',
  });
  expect(lint).toMatchObject({ name: 'lint', status: 'failed', allow_failure: false });
  const [pipeline, ...others] = await client.Pipelines.all(id);
  expect([pipeline, others]).toMatchObject([{ source: 'external', status: 'failed', sha, ref: 'main' }, []]);
  expect(await client.Commits.show(id, sha)).toMatchObject({ status: 'failed', last_pipeline: { id: pipeline!.id } });
  expect(await client.Jobs.all(id)).toEqual([]);
});
