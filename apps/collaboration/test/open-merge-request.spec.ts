import { Access, listMergeRequestLabelEvents, mergeRequestChanged } from '@moothall/contracts';
import { shareBetweenTests } from '@moothall/testing';
import { codeOf, MergeRequestWorld } from './merge-request-world';

const developer = Access.Developer;

const git = shareBetweenTests(() => MergeRequestWorld.start());

describe('merge requests, when they are opened', () => {
  it('show their branches, and the result of git', async () => {
    const project = git.project();
    const author = git.member(project);
    const made = await git.open(project, author, { labels: ['bug'], assignee_id: author.id, squash: true });
    expect(made).toMatchObject({
      iid: 1,
      project_id: project.id,
      state: 'opened',
      title: 'A feature',
      source_branch: 'feature',
      target_branch: 'main',
      source_project_id: project.id,
      target_project_id: project.id,
      labels: ['bug'],
      author: { id: author.id },
      squash: true,
      merge_status: 'can_be_merged',
      has_conflicts: false,
      sha: git.tip(project, 'feature'),
      diff_refs: {
        base_sha: git.tip(project, 'main'),
        start_sha: git.tip(project, 'main'),
        head_sha: git.tip(project, 'feature'),
      },
      web_url: `http://moothall.test/${project.fullPath}/-/merge_requests/1`,
      references: { short: '!1', full: `${project.fullPath}!1` },
      user: { can_merge: true },
    });
    const events = await git.world.inProject(listMergeRequestLabelEvents, project, author, developer, {
      merge_request_iid: 1,
    });
    expect(events.items).toMatchObject([{ action: 'add', label: { name: 'bug' }, resource_type: 'MergeRequest' }]);
    const [event] = git.world.service
      .events(mergeRequestChanged)
      .filter(({ data }) => data.merge_request.id === made.id);
    expect(event?.data).toMatchObject({ action: 'open', user_id: author.id });
  });

  it('are refused a second time for the same branches, also under concurrent requests', async () => {
    const project = git.project();
    const author = git.member(project);
    const answers = await Promise.all([1, 2, 3].map(() => codeOf(git.open(project, author))));
    expect(answers.sort()).toEqual(['merge_request.exists', 'merge_request.exists', 'ok']);
    await expect(git.open(project, author)).rejects.toMatchObject({
      value: {
        message: [expect.stringMatching(/^Another open merge request already exists for this source branch: !\d$/)],
      },
    });
  });

  it('are refused for branches that do not exist, and for one branch', async () => {
    const project = git.project();
    const author = git.member(project);
    await expect(git.open(project, author, { source_branch: 'none' })).rejects.toMatchObject({
      value: { code: 'common.invalid_record', message: { source_branch: ['does not exist'] } },
    });
    await expect(git.open(project, author, { target_branch: 'none' })).rejects.toMatchObject({
      value: { message: { target_branch: ['does not exist'] } },
    });
    expect(await codeOf(git.open(project, author, { source_branch: 'main' }))).toBe('merge_request.same_branch');
  });

  it('come from a fork, for users who read its parent', async () => {
    const target = git.project({ visibility: 'public' });
    const fork = git.project();
    const author = git.member(fork);
    const across = { target_project_id: target.id };
    expect(await codeOf(git.open(fork, author, across))).toBe('merge_request.not_fork');
    git.forks.set(fork.id, target.id);
    const made = await git.open(fork, author, { ...across, labels: ['not by outsiders'] });
    expect(made).toMatchObject({ project_id: target.id, source_project_id: fork.id, iid: 1, labels: [] });
    expect(made.user).toEqual({ can_merge: false });
    const hidden = git.project();
    git.forks.set(fork.id, hidden.id);
    expect(await codeOf(git.open(fork, author, { target_project_id: hidden.id }))).toBe('common.not_found');
  });
});
