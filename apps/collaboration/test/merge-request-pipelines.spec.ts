import { Access, type Caller, type ProjectRef } from '@moothall/contracts';
import { eventually } from '@moothall/testing';
import { MergeRequestWorld, shaOf } from './merge-request-world';

/* Pipelines of merge requests that are created without a request. Each test waits for the last one. */

let git: MergeRequestWorld;
beforeAll(async () => {
  git = await MergeRequestWorld.start();
});
afterAll(() => git?.stop());

const askedFor = (id: number, count = 1) =>
  eventually(() => {
    const found = git.ensured.filter(({ merge_request }) => merge_request.id === id);
    return found.length >= count ? found : undefined;
  }, `${count} pipelines of ${id}`);

const push = (project: ProjectRef, user: Caller, branch: string, over = {}) => {
  const after = git.tip(project, branch) ?? '0'.repeat(40);
  return git.pushAll(project, user, { changes: [{ ref: `refs/heads/${branch}`, before: shaOf('x'), after }], ...over });
};

it('are requested when a merge request is opened, with its variables', async () => {
  const project = git.project();
  const author = git.member(project);
  const { id, iid } = await git.open(project, author);
  expect(await askedFor(id)).toMatchObject([
    {
      merge_request: { id, iid, title: 'A feature', source_branch: 'feature', target_branch: 'main' },
      is_skipped: false,
    },
  ]);
});

it('are requested when the source is pushed to, under a key of its head', async () => {
  const project = git.project();
  const author = git.member(project);
  const { id } = await git.open(project, author);
  const [opened] = await askedFor(id);
  git.commit(project, 'feature', 'third');
  await push(project, author, 'feature', { push_options: ['ci.skip'] });
  const [, pushed] = await askedFor(id, 2);
  expect(pushed).toMatchObject({ merge_request: { id }, is_skipped: true });
  expect(pushed!.key).toBe(git.tip(project, 'feature'));
  expect(pushed!.key).not.toBe(opened!.key);
});

// The events of opening and of the push before it must not both create one for the same commit.
it('are requested with the same key if a push arrives after the opening that followed it', async () => {
  const project = git.project();
  const author = git.member(project);
  const { id } = await git.open(project, author);
  const [opened] = await askedFor(id);
  await push(project, author, 'feature');
  const [, pushed] = await askedFor(id, 2);
  expect(pushed!.key).toBe(opened!.key);
});

it('are not requested for users who may not, old heads, closed ones, and events of older versions', async () => {
  const project = git.project();
  const author = git.member(project);
  const { id, iid } = await git.open(project, author);
  await askedFor(id);
  await push(project, git.member(project, Access.Reporter), 'feature');
  await push(project, author, 'feature', { push_options: undefined });
  await push(project, author, 'feature', {
    changes: [{ ref: 'refs/heads/feature', before: shaOf('x'), after: shaOf('pushed over') }],
  });
  await push(project, author, 'main');
  git.branch(project, 'other', 'main');
  git.commit(project, 'other', 'else');
  const closed = await git.open(project, author, { source_branch: 'other' });
  await askedFor(closed.id);
  await git.update(project, author, closed.iid, { state_event: 'close' });
  await push(project, author, 'other');
  // Earlier events were handled before this one: they are consumed in order.
  git.commit(project, 'feature', 'last');
  await push(project, author, 'feature');
  const all = await askedFor(id, 2);
  expect(all).toHaveLength(2);
  expect(git.ensured.filter(({ merge_request }) => merge_request.id === closed.id)).toHaveLength(1);
  expect(iid).toBe(1);
});
