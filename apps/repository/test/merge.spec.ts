import {
  Access,
  branchTips,
  createCommit,
  createRepository,
  historiesWithCommit,
  listMergeChanges,
  listTree,
  mergeability,
  mergeBranches,
  mergeChanges,
  mergeCommits,
  mergeHeadsWithCommit,
  projectDeleted,
  rebaseBranch,
  repositoryFacts,
  repositoryPushed,
  revertCommit,
} from '@moothall/contracts';
import { contextOf, eventually, projectNamed, shareBetweenTests } from '@moothall/testing';
import { type ProjectUnderTest, startRepositoryService } from './repository-under-test';

const under = shareBetweenTests(() => startRepositoryService());

/** A project with a branch `topic` that adds one file. */
async function withTopic(): Promise<ProjectUnderTest & { head: string }> {
  const made = await under.newProject();
  await made.branch('topic');
  return { ...made, head: await made.commit('topic', 'topic.txt', 'topic\n') };
}
const sides = { source_branch: 'topic', target_branch: 'main' };
const filesOf = async ({ context }: ProjectUnderTest, ref: string) =>
  (await under.client.call(listTree, { id: 'x', ref }, context)).items.map(({ name }) => name);

it('reports whether a branch can be merged, and its changes', async () => {
  const { context, commit, head, contextAs } = await withTopic();
  const start = await commit('main', 'main.txt', 'main\n');
  const facts = await under.client.call(mergeability, sides, context);
  expect(facts).toMatchObject({
    status: 'can_be_merged',
    head_sha: head,
    start_sha: start,
    commits_count: 1,
    diverged_commits_count: 1,
    can_fast_forward: false,
    can_merge: true,
  });
  expect((await under.client.call(mergeability, sides, contextAs(Access.Developer))).can_merge).toBe(false);
  const range = { base_sha: facts.base_sha!, head_sha: head };
  const { diffs } = await under.client.call(mergeChanges, range, context);
  expect(diffs.map(({ new_path }) => new_path)).toEqual(['topic.txt']);
  expect(await under.client.call(listMergeChanges, range, context)).toEqual({ items: diffs, total: 1 });
  expect(await under.client.call(listMergeChanges, { ...range, page: 2 }, context)).toEqual({ items: [], total: 1 });
  expect((await under.client.call(mergeCommits, range, context)).items.map(({ id }) => id)).toEqual([head]);
  expect(await under.client.call(branchTips, { branches: ['topic', 'none'] }, context)).toEqual([
    { name: 'topic', sha: head },
    { name: 'none', sha: null },
  ]);
});

it('finds the merge requests whose heads have a commit, and the histories that contain it', async () => {
  const { context, commit, head } = await withTopic();
  const start = await commit('main', 'main.txt', 'main\n');
  // As text, 10 would sort before 9.
  for (const iid of [10, 9]) await under.client.call(mergeability, { ...sides, iid }, context);
  await under.client.call(mergeability, { source_branch: 'main', target_branch: 'topic', iid: 11 }, context);
  const headsWith = (sha: string) => under.client.call(mergeHeadsWithCommit, { sha }, context);
  expect(await headsWith(head)).toEqual({ sha: head, iids: [9, 10] });
  expect(await headsWith('main')).toEqual({ sha: start, iids: [11] });
  await expect(headsWith('none')).rejects.toMatchObject({ code: 'repository_content.commit_not_found' });
  const among = [head, start, '1'.repeat(40)];
  expect(await under.client.call(historiesWithCommit, { sha: head, among }, context)).toEqual([head]);
});

it('answers many callers of one merge request at the same time', async () => {
  const { context, head } = await withTopic();
  const ask = () => under.client.call(mergeability, { ...sides, iid: 1 }, context);
  const answers = await Promise.all(Array.from({ length: 12 }, ask));
  expect(new Set(answers.map(({ head_sha }) => head_sha))).toEqual(new Set([head]));
});

it.each([
  [{ source_branch: 'none', target_branch: 'main' }, 'source_missing'],
  [{ source_branch: 'topic', target_branch: 'none' }, 'target_missing'],
  [{ source_branch: 'main', target_branch: 'topic' }, 'nothing_to_merge'],
])('%j: it is %s', async (input, status) => {
  const { context } = await withTopic();
  expect(await under.client.call(mergeability, input, context)).toMatchObject({ status });
});

it('merges once, also if requested twice, and deletes the source', async () => {
  const made = await withTopic();
  const { context, head, project } = made;
  const request = { ...sides, sha: head, message: 'Merge topic', remove_source_branch: true };
  const merged = await under.client.call(mergeBranches, request, context);
  expect(merged).toMatchObject({ squash_commit_sha: null, source_branch_removed: true });
  expect(merged.target_sha).toBe(merged.merge_commit_sha);
  expect(await under.client.call(mergeBranches, request, context)).toEqual({ ...merged, source_branch_removed: false });
  expect(await filesOf(made, 'main')).toEqual(['README.md', 'topic.txt']);
  await eventually(() => {
    const refs = under.events(repositoryPushed).filter(({ data }) => data.project_id === project.id);
    const last = refs.slice(-2).map(({ data }) => [data.ref, data.after]);
    return last[0]?.[1] === merged.merge_commit_sha && last[1]?.[1] === '0'.repeat(40);
  });
});

it('squashes, and fast-forwards if the project requires that', async () => {
  const made = await withTopic();
  await made.commit('topic', 'second.txt', 'x');
  const squashed = await under.client.call(
    mergeBranches,
    { ...sides, message: 'Merge', squash: true, squash_message: 'All at once', method: 'ff' },
    made.context,
  );
  expect(squashed).toMatchObject({ merge_commit_sha: null, target_sha: squashed.squash_commit_sha });
  expect(await filesOf(made, 'main')).toEqual(['README.md', 'second.txt', 'topic.txt']);
});

it.each(['merge', 'ff'] as const)('squashes once, for any number of requests by %s', async (method) => {
  const made = await withTopic();
  await made.commit('topic', 'second.txt', 'x');
  const request = { ...sides, message: 'Merge', squash: true, squash_message: 'All at once', method };
  const squashed = await under.client.call(mergeBranches, request, made.context);
  expect(await under.client.call(mergeBranches, request, made.context)).toEqual(squashed);
  // After a revert, it can be merged again.
  const revert = { id: 'x', sha: squashed.squash_commit_sha!, branch: 'main' };
  await under.client.call(revertCommit, revert, made.context);
  const again = await under.client.call(mergeBranches, request, made.context);
  expect(again.squash_commit_sha).not.toBe(squashed.squash_commit_sha);
  expect(await filesOf(made, 'main')).toEqual(['README.md', 'second.txt', 'topic.txt']);
});

it('rebases a branch that fell behind, so that it can be fast-forwarded', async () => {
  const made = await withTopic();
  await made.commit('main', 'main.txt', 'main\n');
  const ff = { ...sides, message: 'm', method: 'ff' as const };
  await expect(under.client.call(mergeBranches, ff, made.context)).rejects.toMatchObject({
    value: { code: 'merge.not_fast_forward' },
  });
  const { sha } = await under.client.call(rebaseBranch, sides, made.context);
  expect((await under.client.call(mergeBranches, ff, made.context)).target_sha).toBe(sha);
  expect(await filesOf(made, 'main')).toEqual(['README.md', 'main.txt', 'topic.txt']);
});

it('refuses to merge with conflicts, after the head moved, or into a protected branch', async () => {
  const { context, commit, contextAs, head } = await withTopic();
  const request = { ...sides, message: 'm' };
  await expect(under.client.call(mergeBranches, request, contextAs(Access.Developer))).rejects.toMatchObject({
    value: { code: 'merge.not_allowed' },
  });
  await expect(under.client.call(mergeBranches, { ...request, sha: 'a'.repeat(40) }, context)).rejects.toMatchObject({
    value: { code: 'merge.source_moved', message: expect.stringContaining(head) },
  });
  await commit('main', 'topic.txt', 'other\n');
  expect(await under.client.call(mergeability, sides, context)).toMatchObject({ status: 'conflict' });
  await expect(under.client.call(mergeBranches, request, context)).rejects.toMatchObject({
    value: { code: 'merge.not_mergeable' },
  });
});

it.each(['default', 'second'])('merges from a fork on the storage %s, and outlives either side', async (storage) => {
  const origin = await under.newProject();
  const { project, context, caller } = origin;
  const fork = projectNamed('fork', { storage, accessLevel: Access.Maintainer });
  const inFork = contextOf({ caller, project: fork });
  const author = { name: 'Ada', email: 'ada@example.com' };
  const forked = await under.client.call(
    createRepository,
    {
      project_id: fork.id,
      default_branch: 'main',
      forked_from: { project_id: project.id, storage: project.storage },
      author,
    },
    inFork,
  );
  expect(forked).toEqual({ default_branch: 'main', is_empty: false, readme_path: 'README.md' });
  const forkUnderTest = { ...origin, project: fork, context: { ...context, project: fork } };
  const actions = [{ action: 'create' as const, file_path: 'fork.txt', content: 'from the fork' }];
  const { id: head } = await under.client.call(
    createCommit,
    { id: 'x', branch: 'main', commit_message: 'in the fork', actions },
    inFork,
  );
  const between = { source_branch: 'main', target_branch: 'main', source_project: { id: fork.id, storage }, iid: 1 };
  expect(await under.client.call(mergeability, between, context)).toMatchObject({
    status: 'can_be_merged',
    head_sha: head,
    can_fast_forward: true,
  });
  await under.client.call(mergeBranches, { ...between, message: 'Merge the fork' }, context);
  expect(await filesOf(origin, 'main')).toEqual(['README.md', 'fork.txt']);

  await under.emit(projectDeleted, { project_id: project.id, full_path: project.fullPath, storage: 'default' });
  await eventually(() =>
    under.client.call(repositoryFacts, { project_id: project.id }, context).then(
      () => false,
      () => true,
    ),
  );
  expect(await filesOf(forkUnderTest, 'main')).toEqual(['README.md', 'fork.txt']);
});
