import {
  Access,
  countGroupMergeRequests,
  type InputOf,
  listGroupMergeRequests,
  listMergeRequests,
  listMergeRequestsWithCommit,
  listProjectMergeRequests,
  openMergeRequestsOfBranches,
} from '@moothall/contracts';
import { shareBetweenTests } from '@moothall/testing';
import { codeOf, MergeRequestWorld } from './merge-request-world';

const developer = Access.Developer;

const git = shareBetweenTests(() => MergeRequestWorld.start());

describe('merge requests in lists', () => {
  it('are filtered by branch, state, draft, label, user and text', async () => {
    const project = git.project();
    const [author, other] = [git.member(project), git.member(project)];
    for (const name of ['b', 'c']) {
      git.branch(project, name, 'feature');
      git.commit(project, name, name);
    }
    const first = await git.open(project, author, { labels: ['bug'], assignee_id: other.id });
    const second = await git.open(project, other, {
      source_branch: 'b',
      title: 'Draft: second',
      reviewer_ids: [author.id],
    });
    const third = await git.open(project, author, { source_branch: 'c', target_branch: 'b', title: 'third' });
    await git.update(project, author, third.iid, { state_event: 'close' });
    const list = async (query: Partial<InputOf<typeof listProjectMergeRequests>>) => {
      const { items } = await git.world.inProject(listProjectMergeRequests, project, author, developer, query);
      return items.map(({ id }) => id);
    };
    expect(await list({})).toEqual([third.id, second.id, first.id]);
    expect(await list({ sort: 'asc' })).toEqual([first.id, second.id, third.id]);
    expect(await list({ state: 'opened' })).toEqual([second.id, first.id]);
    expect(await list({ source_branch: 'b' })).toEqual([second.id]);
    expect(await list({ target_branch: 'main' })).toEqual([second.id, first.id]);
    expect(await list({ wip: 'yes' })).toEqual([second.id]);
    expect(await list({ wip: 'no', state: 'opened' })).toEqual([first.id]);
    expect(await list({ labels: ['bug'] })).toEqual([first.id]);
    expect(await list({ assignee_id: String(other.id) })).toEqual([first.id]);
    expect(await list({ reviewer_id: String(author.id) })).toEqual([second.id]);
    expect(await list({ reviewer_username: author.username })).toEqual([second.id]);
    expect(await list({ reviewer_id: 'None', scope: 'created_by_me' })).toEqual([third.id, first.id]);
    expect(await list({ search: 'thir' })).toEqual([third.id]);
    expect(await list({ iids: [first.iid, third.iid] })).toEqual([third.id, first.id]);
    expect(await list({ not: { labels: ['bug'] }, author_id: author.id })).toEqual([third.id]);
    const simple = await git.world.inProject(listProjectMergeRequests, project, author, developer, {
      view: 'simple',
    });
    expect(Object.keys(simple.items[0]!)).toEqual([
      ...['id', 'iid', 'project_id', 'title', 'description', 'state', 'created_at', 'updated_at', 'web_url'],
    ]);
  });

  it('of pushed branches are the newest open ones from and into the project itself', async () => {
    const [project, fork] = [git.project(), git.project()];
    git.forks.set(fork.id, project.id);
    const author = git.member(project);
    git.join(author, fork, Access.Maintainer);
    for (const name of ['b', 'c']) {
      git.branch(project, name, 'feature');
      git.commit(project, name, name);
    }
    const list = (...source_branches: string[]) =>
      git.world.service.client.call(openMergeRequestsOfBranches, { project_id: project.id, source_branches });
    await git.open(project, author);
    const newest = await git.open(project, author, { target_branch: 'b' });
    const closed = await git.open(project, author, { source_branch: 'b' });
    await git.update(project, author, closed.iid, { state_event: 'close' });
    await git.open(fork, author, { target_project_id: project.id, target_branch: 'c' });
    expect(await list('feature', 'b', 'none')).toEqual([{ source_branch: 'feature', iid: newest.iid }]);
    await git.open(project, author, { source_branch: 'c' });
    expect((await list('feature', 'c')).map(({ source_branch }) => source_branch).sort()).toEqual(['c', 'feature']);
    expect(await list()).toEqual([]);
  });

  it('of a commit are those that bring it, and those that it merged', async () => {
    const project = git.project();
    const author = git.member(project);
    const [base, own] = [git.tip(project, 'main')!, git.tip(project, 'feature')!];
    const first = await git.open(project, author);
    git.branch(project, 'later', 'feature');
    git.commit(project, 'later', 'later');
    const stacked = await git.open(project, author, { source_branch: 'later' });
    git.headsWith.set(base, [first.iid, stacked.iid]);
    git.headsWith.set(own, [first.iid, stacked.iid]);
    const list = async (sha: string, query = {}) => {
      const input = { sha, ...query };
      const listed = await git.world.inProject(listMergeRequestsWithCommit, project, author, developer, input);
      return listed.items.map(({ id }) => id);
    };
    expect(await list(base)).toEqual([]);
    expect(await list(own)).toEqual([stacked.id, first.id]);
    const merged = await git.merge(project, author, first.iid);
    expect(await list(merged.merge_commit_sha!)).toEqual([first.id]);
    expect(await list(own, { state: 'merged' })).toEqual([first.id]);
    expect(await list(own, { state: 'opened' })).toEqual([stacked.id]);
  });

  it('of a group or the instance contain what the caller can read, without code of private projects for guests', async () => {
    const group = git.world.group();
    const [open, secret, guarded] = [
      git.project({ groupIds: [group.id], visibility: 'public' }),
      git.project({ groupIds: [group.id] }),
      git.project({ groupIds: [group.id] }),
    ];
    const author = git.world.user();
    const made = [];
    for (const project of [open, secret, guarded]) made.push((await git.open(project, author)).id);
    const reader = git.world.user();
    git.world.join(reader, secret, Access.Reporter);
    git.world.join(reader, guarded, Access.Guest);
    const inGroup = await git.world.inGroup(listGroupMergeRequests, group, reader, Access.Guest, {});
    expect(inGroup.items.map(({ id }) => id)).toEqual([made[1], made[0]]);
    const context = { requestId: 'test', caller: reader };
    const all = await git.world.call(listMergeRequests, { scope: 'all', author_id: author.id }, context);
    expect(all.items.map(({ id }) => id)).toEqual([made[1], made[0]]);
    expect((await git.world.call(listMergeRequests, {}, context)).items).toEqual([]);
    expect(await codeOf(git.world.call(listMergeRequests, {}, { requestId: 'test' }))).toBe('common.unauthorized');
  });

  it('of a group or the instance contain what a custom role allows guests of a private project, in lists and counts', async () => {
    const group = git.world.group();
    const [opened, coded] = [
      git.project({ groupIds: [group.id], abilities: ['read_code', 'admin_merge_request'] }),
      git.project({ groupIds: [group.id], abilities: ['read_code'] }),
    ];
    const author = git.world.user();
    const { id } = await git.open(opened, author);
    await git.open(coded, author);
    const reader = git.world.user();
    for (const place of [group, opened, coded]) git.world.join(reader, place, Access.Guest);
    const inGroup = await git.world.inGroup(listGroupMergeRequests, group, reader, Access.Guest, {});
    expect(inGroup.items.map((one) => one.id)).toEqual([id]);
    const context = { requestId: 'test', caller: reader };
    const all = await git.world.call(listMergeRequests, { scope: 'all', author_id: author.id }, context);
    expect(all.items.map((one) => one.id)).toEqual([id]);
    const counted = await git.world.call(countGroupMergeRequests, { group_path: String(group.id) }, context);
    expect(counted).toEqual({ merge_requests_count: 1 });
  });
});
