import { root } from '../server/connection';
import { newWorld, type World } from './world';

/* Operations on merge requests other than opening and merging, by a v4 client. */

let world: World;

beforeAll(async () => {
  world = await newWorld();
  const content = JSON.stringify({ build: { script: ['true'], rules: [{ when: 'on_success' }] } });
  await world.member.client.RepositoryFiles.create(world.projectId, '.gitlab-ci.yml', 'main', content, 'Add a job');
});

const mergeRequests = () => world.member.client.MergeRequests;

async function opened(branch: string) {
  const file = [{ action: 'create' as const, filePath: `${branch}.txt`, content: 'one\ntwo\n' }];
  await world.member.client.Commits.create(world.projectId, branch, 'Write', file, { startBranch: 'main' });
  return mergeRequests().create(world.projectId, branch, 'main', `From ${branch}`);
}

it('shows changes and versions', async () => {
  const { projectId } = world;
  const { iid, sha } = await opened('changed');
  const { changes } = await mergeRequests().showChanges(projectId, iid);
  expect(changes).toMatchObject([{ new_path: 'changed.txt', new_file: true, diff: '@@ -0,0 +1,2 @@\n+one\n+two\n' }]);
  const [version] = await mergeRequests().allDiffVersions(projectId, iid);
  const shown = await mergeRequests().showDiffVersion(projectId, iid, version!.id);
  expect(shown).toMatchObject({ head_commit_sha: sha, commits: [{ id: sha }], diffs: [{ new_path: 'changed.txt' }] });
});

it('runs pipelines, and forgets that it was to be merged after one', async () => {
  const { projectId } = world;
  const { iid, sha } = await opened('piped');
  const made = await mergeRequests().createPipeline(projectId, iid);
  // They used to be pipelines of the branch, with the source `api`.
  expect(made).toMatchObject({ sha, ref: `refs/merge-requests/${iid}/head`, source: 'merge_request_event' });
  const ids = (await mergeRequests().allPipelines(projectId, iid)).map(({ id }) => id);
  expect(ids).toContain(made.id);
  const promised = await mergeRequests().merge(projectId, iid, { mergeWhenPipelineSucceeds: true });
  expect(promised).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true });
  const cancelled = await mergeRequests().cancelOnPipelineSuccess(projectId, iid);
  expect(cancelled).toEqual({ status: 'success' });
  const after = await mergeRequests().show(projectId, iid);
  expect(after).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: false });
});

it('has subscriptions and time tracking', async () => {
  const { projectId } = world;
  const { iid } = await opened('timed');
  expect(await mergeRequests().unsubscribe(projectId, iid)).toMatchObject({ subscribed: false });
  expect(await mergeRequests().subscribe(projectId, iid)).toMatchObject({ subscribed: true });
  await mergeRequests().setTimeEstimate(projectId, iid, '1w');
  expect(await mergeRequests().addSpentTime(projectId, iid, '1d')).toMatchObject({ human_total_time_spent: '1d' });
  expect(await mergeRequests().resetTimeEstimate(projectId, iid)).toMatchObject({ time_estimate: 0 });
  expect(await mergeRequests().resetSpentTime(projectId, iid)).toMatchObject({ total_time_spent: 0 });
});

it('is listed with its group, simply or whole, and removed by owners', async () => {
  const { projectId, groupId } = world;
  const { iid, id } = await opened('listed');
  const [simple] = await mergeRequests().all({ groupId, sourceBranch: 'listed', view: 'simple' });
  expect(simple).toMatchObject({ id, project_id: projectId });
  expect(simple).not.toHaveProperty('author');
  expect(await mergeRequests().all({ projectId, iids: [iid] })).toMatchObject([
    { id, author: { id: world.member.id } },
  ]);
  await expect(mergeRequests().remove(projectId, iid)).rejects.toThrow(/403/);
  await root.MergeRequests.remove(projectId, iid);
  await expect(mergeRequests().show(projectId, iid)).rejects.toThrow(/404/);
});
