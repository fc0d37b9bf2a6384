import { ask, newUser, root } from '../server/connection';
import { newWorld, type World } from './world';

/* Draft notes by v4 clients. */

let world: World;
let iid: number;

beforeAll(async () => {
  world = await newWorld();
  await root.GroupMembers.add(world.groupId, 40, { userId: world.member.id });
  const { Commits, MergeRequests } = world.member.client;
  const file = [{ action: 'create' as const, filePath: 'drafted.txt', content: 'one\n' }];
  await Commits.create(world.projectId, 'drafted', 'Write', file, { startBranch: 'main' });
  ({ iid } = await MergeRequests.create(world.projectId, 'drafted', 'main', 'Drafted'));
});

it('are visible only to their author until they are published', async () => {
  const { projectId, member } = world;
  const { MergeRequestDraftNotes, MergeRequestNotes } = member.client;
  const other = await newUser('other');
  const first = await MergeRequestDraftNotes.create(projectId, iid, 'First');
  expect(await MergeRequestDraftNotes.show(projectId, iid, first.id)).toEqual(first);
  // The client updates drafts by POST, which the API does not have.
  const changed = await ask(`/api/v4/projects/${projectId}/merge_requests/${iid}/draft_notes/${first.id}`, {
    ...{ method: 'PUT', token: member.token, headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ note: 'The first' }),
  });
  expect(await changed.json()).toEqual({ ...first, note: 'The first' });
  const second = await MergeRequestDraftNotes.create(projectId, iid, 'Second');
  expect(await other.client.MergeRequestDraftNotes.all(projectId, iid)).toEqual([]);
  await expect(other.client.MergeRequestDraftNotes.publish(projectId, iid, first.id)).rejects.toThrow(/Not Found/);
  const gone = await MergeRequestDraftNotes.create(projectId, iid, 'Gone');
  await MergeRequestDraftNotes.remove(projectId, iid, gone.id);
  await MergeRequestDraftNotes.publish(projectId, iid, second.id);
  await MergeRequestDraftNotes.publishBulk(projectId, iid);
  expect(await MergeRequestDraftNotes.all(projectId, iid)).toEqual([]);
  const notes = await MergeRequestNotes.all(projectId, iid, { sort: 'asc' });
  expect(notes.filter(({ system }) => !system).map(({ body }) => body)).toEqual(['Second', 'The first']);
});
