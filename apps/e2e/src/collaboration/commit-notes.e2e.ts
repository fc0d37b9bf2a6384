import { ask, newUser, root } from '../server/connection';
import { newWorld, type World } from './world';

/* Notes on commits by v4 clients. */

let world: World;
let sha: string;

beforeAll(async () => {
  world = await newWorld();
  await root.GroupMembers.add(world.groupId, 40, { userId: world.member.id });
  const file = [{ action: 'create' as const, filePath: 'crane.txt', content: 'one\ntwo\n' }];
  const { id } = await world.member.client.Commits.create(world.projectId, 'noted', 'Build', file, {
    startBranch: 'main',
  });
  sha = id;
});

it('comments are created on a commit and on its lines, and are also discussions', async () => {
  const { Commits, CommitDiscussions } = world.member.client;
  const onLine = { path: 'crane.txt', line: 2, lineType: 'new' as const };
  expect(await Commits.createComment(world.projectId, sha, 'So?', onLine)).toMatchObject({
    ...{ note: 'So?', path: 'crane.txt', line: 2, line_type: 'new' },
    author: { username: world.member.username },
  });
  await Commits.createComment(world.projectId, sha, 'Good');
  // A branch resolves to its commit.
  expect(await Commits.allComments(world.projectId, 'noted')).toMatchObject([{ note: 'So?' }, { note: 'Good' }]);
  const [first, second] = await CommitDiscussions.all(world.projectId, sha);
  expect(first!.notes).toMatchObject([{ type: 'DiffNote', noteable_type: 'Commit', commit_id: sha }]);
  expect(second).toMatchObject({ individual_note: true, notes: [{ body: 'Good' }] });
});

it('discussions are started, answered, changed and ended', async () => {
  const { projectId, member } = world;
  const { CommitDiscussions } = member.client;
  const begun = await CommitDiscussions.create(projectId, sha, 'Shall we?');
  const other = await newUser('other');
  const answer = await other.client.CommitDiscussions.addNote(projectId, sha, begun.id, 'Yes');
  await other.client.CommitDiscussions.editNote(projectId, sha, begun.id, answer.id, { body: 'No' });
  const { notes } = await CommitDiscussions.show(projectId, sha, begun.id);
  expect(notes!.map(({ body, author }) => [body, author.username])).toEqual([
    ['Shall we?', member.username],
    ['No', other.username],
  ]);
  await CommitDiscussions.removeNote(projectId, sha, begun.id, answer.id);
  expect((await CommitDiscussions.show(projectId, sha, begun.id)).notes).toHaveLength(1);
});

it('a commit that does not exist is 404, with the message of the interface', async () => {
  const response = await ask(`/api/v4/projects/${world.projectId}/repository/commits/${'1'.repeat(40)}/comments`, {
    token: world.member.token,
  });
  expect([response.status, await response.json()]).toEqual([404, { message: '404 Commit Not Found' }]);
});
