import { ask, newUser, uniqueName } from '../server/connection';
import { until } from '../server/until';

/* External status checks that merge requests wait for. */

it('block a merge request until all of them have passed at its head', async () => {
  const { client, token } = await newUser('checked');
  const project = await client.Projects.create({ name: uniqueName('project'), initializeWithReadme: true });
  const { id } = await client.ExternalStatusChecks.create(project.id, 'lint', 'https://receiver.invalid/');
  expect(await client.ExternalStatusChecks.edit(project.id, id, { name: 'tidy' })).toMatchObject({ id, name: 'tidy' });
  await client.Projects.edit(project.id, { onlyAllowMergeIfAllStatusChecksPassed: true } as object);
  const change = (filePath: string) => [{ action: 'create' as const, filePath, content: 'a' }];
  await client.Commits.create(project.id, 'topic', 'one', change('a'), { startBranch: 'main' });
  const { iid } = await client.MergeRequests.create(project.id, 'topic', 'main', 'Checked');
  const shown = () => client.MergeRequests.show(project.id, iid);
  await until('the checks', async () => String((await shown()).detailed_merge_status) === 'status_checks_must_pass');
  const merging = () => client.MergeRequests.merge(project.id, iid);
  await expect(merging()).rejects.toMatchObject({ cause: { response: { status: 405 } } });
  const states = async () =>
    (await client.ExternalStatusChecks.all(project.id, { mergerequestIId: iid })).map(({ name, status }) => [
      name,
      status,
    ]);
  const { sha } = await shown();
  const answer = (status: string) => client.ExternalStatusChecks.set(project.id, iid, sha, id, { status } as object);
  await answer('failed');
  expect(await states()).toEqual([['tidy', 'failed']]);
  const retried = await ask(`/api/v4/projects/${project.id}/merge_requests/${iid}/status_checks/${id}/retry`, {
    method: 'POST',
    token,
  });
  expect(retried.status).toBe(202);
  expect(await answer('passed')).toMatchObject({ external_status_check: { id }, merge_request: { iid } });
  expect(await states()).toEqual([['tidy', 'passed']]);
  await client.Commits.create(project.id, 'topic', 'two', change('b'));
  await expect(answer('passed')).rejects.toMatchObject({ cause: { response: { status: 409 } } });
  await expect(merging()).rejects.toMatchObject({ cause: { response: { status: 405 } } });
  await client.ExternalStatusChecks.remove(project.id, id);
  expect((await merging()).state).toBe('merged');
}, 60_000);
