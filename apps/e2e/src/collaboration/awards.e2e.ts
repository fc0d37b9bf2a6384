import { ask, newUser, root } from '../server/connection';
import { newWorld, type World } from './world';

/* Emoji awards on records and notes, by a v4 client. */

type Client = World['member']['client'];
interface Awardable {
  parent: number;
  id: number;
  /** The client's methods, which have different types for each kind, but the same signature. */
  awards: (client: Client) => unknown;
  /** The client has none for notes of snippets. */
  onNotes?: [notes: unknown, awards: unknown];
}

let world: World;

beforeAll(async () => {
  world = await newWorld();
  await root.GroupMembers.add(world.groupId, 40, { userId: world.member.id });
});

const kinds: Record<string, (world: World) => Promise<Awardable>> = {
  Issue: async ({ projectId: parent, member: { client } }) => {
    const { iid } = await client.Issues.create(parent, 'Liked');
    const onNotes: Awardable['onNotes'] = [client.IssueNotes, client.IssueNoteAwardEmojis];
    return { parent, id: iid, awards: (by) => by.IssueAwardEmojis, onNotes };
  },
  MergeRequest: async ({ projectId: parent, member: { client } }) => {
    const file = [{ action: 'create' as const, filePath: 'liked.txt', content: 'x' }];
    await client.Commits.create(parent, 'liked', 'Write', file, { startBranch: 'main' });
    const { iid } = await client.MergeRequests.create(parent, 'liked', 'main', 'Liked');
    const onNotes: Awardable['onNotes'] = [client.MergeRequestNotes, client.MergeRequestNoteAwardEmojis];
    return { parent, id: iid, awards: (by) => by.MergeRequestAwardEmojis, onNotes };
  },
  Snippet: async ({ projectId: parent, member: { client } }) => {
    const files = [{ content: 'x', filePath: 'liked.txt' }];
    const { id } = await client.ProjectSnippets.create(parent, 'Liked', { visibility: 'public', files });
    return { parent, id, awards: (by) => by.ProjectSnippetAwardEmojis };
  },
};

it.each(Object.keys(kinds))('on the kind %s are created, read and deleted', async (kind) => {
  const { parent, id, ...resources } = await kinds[kind]!(world);
  const awards = (client: Client) => resources.awards(client) as Client['IssueAwardEmojis'];
  const mine = awards(world.member.client);
  const given = await mine.award(parent, id, 'rocket');
  expect(given).toMatchObject({ name: 'rocket', user: { username: world.member.username }, awardable_type: kind });
  await expect(mine.award(parent, id, 'rocket')).rejects.toThrow(/Name has already been taken/);
  await expect(mine.award(parent, id, 'no-such-emoji')).rejects.toThrow(/400|404/);
  expect(await mine.all(parent, id)).toMatchObject([{ id: given.id }]);
  expect(await mine.show(parent, id, given.id)).toMatchObject({ id: given.id, name: 'rocket' });
  const stranger = await newUser('stranger');
  await expect(awards(stranger.client).remove(parent, id, given.id)).rejects.toThrow(/401/);
  await mine.remove(parent, id, given.id);
  expect(await mine.all(parent, id)).toEqual([]);
});

it.each(['Issue', 'MergeRequest'])('on notes of the kind %s are created, read and deleted', async (kind) => {
  const { parent, id, onNotes } = await kinds[kind]!(await newWorld());
  const [notes, noteAwards] = onNotes as [Client['IssueNotes'], Client['IssueNoteAwardEmojis']];
  const note = await notes.create(parent, id, 'Liked');
  const onNote = await noteAwards.award(parent, id, note.id, 'heart');
  expect(onNote).toMatchObject({ name: 'heart', awardable_id: note.id, awardable_type: 'Note' });
  expect(await noteAwards.all(parent, id, note.id)).toMatchObject([{ id: onNote.id }]);
  expect(await noteAwards.show(parent, id, note.id, onNote.id)).toMatchObject({ name: 'heart' });
  await noteAwards.remove(parent, id, note.id, onNote.id);
  expect(await noteAwards.all(parent, id, note.id)).toEqual([]);
});

it('are listed by their record', async () => {
  const { projectId, member } = world;
  const { Issues, IssueAwardEmojis } = member.client;
  const { iid } = await Issues.create(projectId, 'Voted on');
  await IssueAwardEmojis.award(projectId, iid, 'thumbsup');
  await IssueAwardEmojis.award(projectId, iid, 'thumbsdown');
  expect(await Issues.show(iid, { projectId })).toMatchObject({ upvotes: 1, downvotes: 1 });
  expect(await Issues.all({ projectId, myReactionEmoji: 'thumbsup' })).toMatchObject([{ iid }]);
});

// Without the client, which requests awards of epics below issues.
it('are created on epics', async () => {
  const { groupId, member } = world;
  const { iid } = await member.client.Epics.create(groupId, 'Voted on');
  const awards = `/api/v4/groups/${groupId}/epics/${iid}/award_emoji`;
  const given = await ask(`${awards}?name=thumbsup`, { method: 'POST', token: member.token });
  expect([given.status, await given.json()]).toMatchObject([201, { name: 'thumbsup', awardable_type: 'Epic' }]);
  expect(await (await ask(awards, { token: member.token })).json()).toMatchObject([{ name: 'thumbsup' }]);
  expect(await member.client.Epics.show(groupId, iid)).toMatchObject({ upvotes: 1 });
});
