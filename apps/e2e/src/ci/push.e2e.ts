import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@moothall/processes';
import { ask, connection, newUser, uniqueName } from '../server/connection';
import { git, gitText, remoteUrl } from '../server/git';
import { until } from '../server/until';

/* From `git push` to a green merge request: git, @gitbeaker/rest and the runner of this repository. */

const runner = path.resolve(__dirname, '../../../../tools/runner.mjs');
const folder = temporaryFolder('push-pipelines');

let user: Awaited<ReturnType<typeof newUser>>;
let project: { id: number; path_with_namespace: string };
let runnerToken: string;

async function workOnce(): Promise<void> {
  const args = [runner, '--url', connection.url, '--token', runnerToken, '--once'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 60_000 });
  expect(await once(child, 'exit')).toEqual([0, null]);
}

function commit(file: object, message: string): string {
  writeFileSync(path.join(folder, '.gitlab-ci.yml'), JSON.stringify(file));
  git(folder, ['add', '--all']);
  git(folder, ['commit', '--quiet', '--allow-empty', '--message', message]);
  return gitText(folder, ['rev-parse', 'HEAD']);
}

const push = (...args: string[]) => git(folder, ['push', '--quiet', 'origin', ...args]);
const pipelineOf = (sha: string, count = 1) =>
  until(`${count} pipelines of ${sha}`, async () => {
    const found = await user.client.Pipelines.all(project.id, { sha });
    return found.length === count ? found : undefined;
  });

beforeAll(async () => {
  user = await newUser('pusher');
  project = (await user.client.Projects.create({ path: uniqueName('pushed') })) as unknown as typeof project;
  const body = JSON.stringify({ runner_type: 'project_type', project_id: project.id });
  const headers = { 'content-type': 'application/json' };
  const made = await ask('/api/v4/user/runners', { method: 'POST', token: user.token, headers, body });
  runnerToken = ((await made.json()) as { token: string }).token;
  git(folder, ['init', '--quiet', '--initial-branch=main']);
  git(folder, ['remote', 'add', 'origin', remoteUrl(project.path_with_namespace, user.username, user.token)]);
});

const script = ['test "$CI_PIPELINE_SOURCE" = push', 'echo "before $CI_COMMIT_BEFORE_SHA"', 'echo "mode $MODE"'];

it('makes a pipeline of a pushed branch, which a runner works off, with the variables of the push', async () => {
  const sha = commit({ build: { script } }, 'Add a job');
  push('--push-option=ci.variable=MODE=full', 'main');
  const [pipeline] = await pipelineOf(sha);
  expect(pipeline).toMatchObject({ source: 'push', ref: 'main', status: 'pending' });
  await workOnce();
  expect(await user.client.Pipelines.show(project.id, pipeline!.id)).toMatchObject({ status: 'success' });
  const [job] = await user.client.Jobs.all(project.id);
  const trace = await user.client.Jobs.showLog(project.id, job!.id);
  expect(trace).toContain(`\nbefore ${'0'.repeat(40)}\n`);
  expect(trace).toContain('\nmode full\n');
});

it('creates one for a pushed tag, a skipped one if the message asks for it, a failed one for an invalid file', async () => {
  git(folder, ['tag', '--annotate', '--message', 'First', 'v1']);
  push('v1');
  const tagged = await until('the pipeline of the tag', async () => {
    const [found] = await user.client.Pipelines.all(project.id, { ref: 'v1' });
    return found;
  });
  expect(tagged).toMatchObject({ source: 'push', sha: gitText(folder, ['rev-parse', 'HEAD']) });
  await user.client.Pipelines.cancel(project.id, tagged.id);
  const skipped = commit({ build: { script } }, 'Say less [skip ci]');
  push('HEAD:refs/heads/skipped');
  expect(await pipelineOf(skipped)).toMatchObject([{ status: 'skipped' }]);
  const broken = commit({ build: { stage: 'never', script } }, 'Break it');
  push('HEAD:refs/heads/broken');
  const [failed] = await pipelineOf(broken);
  expect(await user.client.Pipelines.show(project.id, failed!.id)).toMatchObject({
    status: 'failed',
    yaml_errors: expect.stringContaining('chosen stage does not exist'),
  });
});

it('creates pipelines of a merge request when it is opened and pushed to, if the file requests them', async () => {
  const { MergeRequests } = user.client;
  const rules = [{ if: '$CI_PIPELINE_SOURCE == "merge_request_event"' }];
  git(folder, ['checkout', '--quiet', '-b', 'asked', 'main']);
  const first = commit({ review: { script: ['true'], rules } }, 'Review');
  push('asked');
  const { iid } = await MergeRequests.create(project.id, 'asked', 'main', 'Asked');
  const ref = `refs/merge-requests/${iid}/head`;
  const [former] = await pipelineOf(first);
  expect(former).toMatchObject({ source: 'merge_request_event', ref });
  const second = commit({ review: { script: ['test "$CI_MERGE_REQUEST_IID"'], rules } }, 'Review more');
  push('asked');
  const [pipeline] = await pipelineOf(second);
  expect(pipeline).toMatchObject({ source: 'merge_request_event', ref });
  expect(await MergeRequests.allPipelines(project.id, iid)).toMatchObject([{ sha: second }, { sha: first }]);
  // It has no job for the runner any more.
  await until('the end of the former one', async () => {
    return (await user.client.Pipelines.show(project.id, former!.id)).status === 'canceled';
  });
  await workOnce();
  const head = await until('the pushed commit in the merge request', async () => {
    const { sha, head_pipeline } = await MergeRequests.show(project.id, iid);
    return sha === second ? head_pipeline : undefined;
  });
  expect(head).toMatchObject({ id: pipeline!.id, status: 'success' });
});

it('makes the merge request of a pushed branch green, which then merges by itself', async () => {
  const { MergeRequests } = user.client;
  git(folder, ['checkout', '--quiet', '-b', 'feature', 'main']);
  const sha = commit({ build: { script: ['true'] } }, 'Do it better');
  push('feature');
  const { iid } = await MergeRequests.create(project.id, 'feature', 'main', 'Better');
  const [pipeline] = await pipelineOf(sha);
  const shown = async () => (await MergeRequests.show(project.id, iid)) as Record<string, unknown>;
  expect(await shown()).toMatchObject({ head_pipeline: { id: pipeline!.id, status: 'pending' } });
  await MergeRequests.merge(project.id, iid, { mergeWhenPipelineSucceeds: true });
  await workOnce();
  const merged = await until('the merge', async () => {
    const seen = await shown();
    return seen.state === 'merged' ? seen : undefined;
  });
  expect(merged).toMatchObject({ head_pipeline: { status: 'success' } });
});

it('selects jobs by the changed files of a push and a merge request, and by existing files', async () => {
  git(folder, ['checkout', '--quiet', '-b', 'by-files', 'main']);
  const requested = '$CI_PIPELINE_SOURCE == "merge_request_event"';
  const paths = ['docs/**/*.md'];
  commit(
    {
      docs: { script, rules: [{ changes: paths }] },
      since: { script, rules: [{ changes: { paths, compare_to: 'main' } }] },
      there: { script, rules: [{ exists: ['docs/*.md'] }] },
      other: { script, rules: [{ changes: ['src/*'] }, { exists: ['Makefile'] }] },
      review: { script, rules: [{ if: requested, changes: paths }] },
    },
    'Choose by files',
  );
  push('by-files');
  mkdirSync(path.join(folder, 'docs'));
  writeFileSync(path.join(folder, 'docs/a.md'), 'a');
  git(folder, ['add', '--all']);
  git(folder, ['commit', '--quiet', '--message', 'Add docs']);
  const sha = gitText(folder, ['rev-parse', 'HEAD']);
  push('by-files');
  const jobsOf = async (id: number) =>
    (await user.client.Jobs.all(project.id, { pipelineId: id })).map(({ name }) => name);
  const [pushed] = await pipelineOf(sha);
  expect((await jobsOf(pushed!.id)).sort()).toEqual(['docs', 'since', 'there']);
  await user.client.MergeRequests.create(project.id, 'by-files', 'main', 'By files');
  const found = await pipelineOf(sha, 2);
  const asked = found.find(({ source }) => source === 'merge_request_event');
  expect((await jobsOf(asked!.id)).sort()).toEqual(['docs', 'review', 'since', 'there']);
});
