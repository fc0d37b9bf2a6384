import { ask, newUser, root } from '../server/connection';
import { newWorld, type World } from './world';

/* Discussions by a v4 client. */

type Client = World['member']['client'];

let world: World;

beforeAll(async () => {
  world = await newWorld();
  await root.GroupMembers.add(world.groupId, 40, { userId: world.member.id });
});

async function newMergeRequest({ projectId, member: { client } }: World, branch: string) {
  const file = [{ action: 'create' as const, filePath: `${branch}.txt`, content: 'one\ntwo\n' }];
  await client.Commits.create(projectId, branch, 'Write', file, { startBranch: 'main' });
  return client.MergeRequests.create(projectId, branch, 'main', 'Discussed');
}

type Discussed = [parent: number, id: number, discussions: (client: Client) => unknown];

/** The discussions of a new record; the client's methods have different types for each kind, but the same signature. */
const kinds: Record<string, (world: World) => Promise<Discussed>> = {
  Issue: async ({ projectId, member }) => {
    const { iid } = await member.client.Issues.create(projectId, 'Discussed');
    return [projectId, iid, ({ IssueDiscussions }) => IssueDiscussions];
  },
  MergeRequest: async (where) => {
    const { iid } = await newMergeRequest(where, 'discussed');
    return [where.projectId, iid, ({ MergeRequestDiscussions }) => MergeRequestDiscussions];
  },
  Snippet: async ({ projectId, member }) => {
    const files = [{ content: 'x', filePath: 'x.txt' }];
    const { id } = await member.client.ProjectSnippets.create(projectId, 'Discussed', { visibility: 'public', files });
    return [projectId, id, ({ ProjectSnippetDiscussions }) => ProjectSnippetDiscussions];
  },
  Epic: async ({ groupId, member }) => {
    const { id } = await member.client.Epics.create(groupId, 'Discussed');
    return [groupId, id, ({ EpicDiscussions }) => EpicDiscussions];
  },
};

it.each(Object.keys(kinds))('of the kind %s are started, answered, read, changed and removed', async (kind) => {
  const [parent, id, resource] = await kinds[kind]!(world);
  const discussionsOf = (client: Client) => resource(client) as Client['IssueDiscussions'];
  const discussions = discussionsOf(world.member.client);
  const begun = await discussions.create(parent, id, 'What do you think?');
  expect(begun).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f]{40}$/),
    individual_note: false,
    notes: [{ body: 'What do you think?', type: 'DiscussionNote', noteable_type: kind }],
  });
  const other = await newUser('other');
  const answer = await discussionsOf(other.client).addNote(parent, id, begun.id, 'Good');
  expect(answer).toMatchObject({ body: 'Good', author: { username: other.username } });
  const change = { body: 'Very good' };
  expect(await discussionsOf(other.client).editNote(parent, id, begun.id, answer.id, change)).toMatchObject(change);
  const bodies = async () => (await discussions.show(parent, id, begun.id)).notes!.map(({ body }) => body);
  expect(await bodies()).toEqual(['What do you think?', 'Very good']);
  expect(await discussions.all(parent, id)).toContainEqual(expect.objectContaining({ id: begun.id }));
  await discussions.removeNote(parent, id, begun.id, answer.id);
  expect(await bodies()).toEqual(['What do you think?']);
});

it('of a merge request are resolved, and block its merge until then', async () => {
  const { projectId, member } = world;
  const { MergeRequests, MergeRequestDiscussions } = member.client;
  await member.client.Projects.edit(projectId, { onlyAllowMergeIfAllDiscussionsAreResolved: true });
  const { iid } = await newMergeRequest(world, 'resolved');
  const { diff_refs } = await MergeRequests.show(projectId, iid);
  const refs = diff_refs as { base_sha: string; head_sha: string; start_sha: string };
  const { id, notes } = await MergeRequestDiscussions.create(projectId, iid, 'Why two?', {
    position: {
      baseSha: refs.base_sha,
      headSha: refs.head_sha,
      startSha: refs.start_sha,
      positionType: 'text',
      newPath: 'resolved.txt',
      newLine: '2',
    },
  });
  expect(notes).toMatchObject([
    { type: 'DiffNote', resolvable: true, resolved: false, position: { new_path: 'resolved.txt', new_line: 2 } },
  ]);
  expect(await MergeRequests.show(projectId, iid)).toMatchObject({ blocking_discussions_resolved: false });
  await expect(MergeRequests.merge(projectId, iid)).rejects.toThrow(/405/);
  const resolved = await MergeRequestDiscussions.resolve(projectId, iid, id, true);
  expect(resolved.notes).toMatchObject([{ resolved: true, resolved_by: { username: member.username } }]);
  const note = await MergeRequestDiscussions.editNote(projectId, iid, id, notes![0]!.id, { resolved: false });
  expect(note).toMatchObject({ resolved: false });
  await MergeRequestDiscussions.resolve(projectId, iid, id, true);
  expect(await MergeRequests.merge(projectId, iid)).toMatchObject({ state: 'merged' });
});

it.each([
  [{ new_path: 'a'.repeat(4097) }, 400],
  [{ new_path: '\ud800' }, 400],
  [{ base_sha: 'a'.repeat(65) }, 400],
  [{ new_line: 1.5 }, 400],
  [{ position_type: 'file' }, 400],
  [{ new_path: 'a\u202e', new_line: null }, 201],
])('of a merge request at %j answer %i', async (fields, status) => {
  const { projectId, member } = world;
  const [{ iid } = { iid: 0 }] = await member.client.MergeRequests.all({ projectId });
  const position = { base_sha: 'x', start_sha: 'x', head_sha: 'x', position_type: 'text', ...fields };
  const answer = await ask(`/api/v4/projects/${projectId}/merge_requests/${iid}/discussions`, {
    method: 'POST',
    token: member.token,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ body: 'Here', position }),
  });
  expect(answer.status).toBe(status);
});
