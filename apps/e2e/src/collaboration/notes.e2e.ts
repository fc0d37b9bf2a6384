import { newUser, root } from '../server/connection';
import { newWorld, type World } from './world';

/* Notes on all kinds of records, by a v4 client. */

type Client = World['member']['client'];
type Notes = Client['IssueNotes'];

let world: World;

beforeAll(async () => {
  world = await newWorld();
  await root.GroupMembers.add(world.groupId, 40, { userId: world.member.id });
});

interface Noteable {
  type: string;
  /** Its project or group. */
  parent: number;
  /** Its id in the path. */
  id: number;
  iid: number | null;
  /** The client's methods, which have different types for each kind, but the same signature. */
  resource: (client: Client) => unknown;
}

async function makeMergeRequest({ projectId, member: { client } }: World) {
  const file = [{ action: 'create' as const, filePath: 'noted.txt', content: 'x' }];
  await client.Commits.create(projectId, 'noted', 'Write', file, { startBranch: 'main' });
  return client.MergeRequests.create(projectId, 'noted', 'main', 'Noted');
}

const kinds: Record<string, (world: World) => Promise<Noteable>> = {
  Issue: async ({ projectId, member }) => {
    const { iid } = await member.client.Issues.create(projectId, 'Noted');
    return { type: 'Issue', parent: projectId, id: iid, iid, resource: ({ IssueNotes }) => IssueNotes };
  },
  MergeRequest: async (where) => {
    const { iid } = await makeMergeRequest(where);
    const resource = ({ MergeRequestNotes }: Client) => MergeRequestNotes;
    return { type: 'MergeRequest', parent: where.projectId, id: iid, iid, resource };
  },
  Snippet: async ({ projectId, member }) => {
    const files = [{ content: 'x', filePath: 'noted.txt' }];
    const { id } = await member.client.ProjectSnippets.create(projectId, 'Noted', { visibility: 'public', files });
    const resource = ({ ProjectSnippetNotes }: Client) => ProjectSnippetNotes;
    return { type: 'Snippet', parent: projectId, id, iid: null, resource };
  },
  Epic: async ({ groupId, member }) => {
    const { id, iid } = await member.client.Epics.create(groupId, 'Noted');
    return { type: 'Epic', parent: groupId, id, iid, resource: ({ EpicNotes }) => EpicNotes };
  },
};

describe.each(Object.keys(kinds))('of the kind %s', (kind) => {
  let on: Noteable;
  let notes: Notes;
  const notesAs = (client: Client) => on.resource(client) as Notes;

  beforeAll(async () => {
    on = await kinds[kind]!(world);
    notes = notesAs(world.member.client);
  });

  it('are written, read, changed and removed', async () => {
    const made = await notes.create(on.parent, on.id, 'Looks **good**');
    expect(made).toMatchObject({
      body: 'Looks **good**',
      author: { username: world.member.username },
      system: false,
      noteable_type: on.type,
      noteable_iid: on.iid,
    });
    expect(await notes.show(on.parent, on.id, made.id)).toMatchObject({ id: made.id, body: 'Looks **good**' });
    const edited = await notes.edit(on.parent, on.id, made.id, { body: 'Looks great' });
    expect(edited).toMatchObject({ id: made.id, body: 'Looks great', created_at: made.created_at });
    await notes.remove(on.parent, on.id, made.id);
    await expect(notes.show(on.parent, on.id, made.id)).rejects.toThrow(/404 Not found/);
  });

  it('are listed in the requested order, page by page', async () => {
    for (const body of ['first', 'second', 'third']) await notes.create(on.parent, on.id, body);
    const bodies = async (options: object) => {
      const all = await notes.all(on.parent, on.id, options);
      return all.filter(({ system }) => !system).map(({ body }) => body);
    };
    expect(await bodies({})).toEqual(['third', 'second', 'first']);
    expect(await bodies({ sort: 'asc', perPage: 1 })).toEqual(['first', 'second', 'third']);
    expect(await bodies({ sort: 'asc', pagination: 'keyset', perPage: 2 })).toEqual(['first', 'second', 'third']);
    expect(await bodies({ sort: 'asc', page: 2, perPage: 1, maxPages: 1 })).toEqual(['second']);
  });

  it('are for their author and maintainers to change', async () => {
    const stranger = await newUser('stranger');
    const { id } = await notesAs(stranger.client).create(on.parent, on.id, 'Mine');
    const foreign = await notes.create(on.parent, on.id, 'Theirs');
    const change = { body: 'Changed' };
    await expect(notesAs(stranger.client).edit(on.parent, on.id, foreign.id, change)).rejects.toThrow(/403/);
    expect(await notesAs(stranger.client).edit(on.parent, on.id, id, change)).toMatchObject(change);
    await notes.remove(on.parent, on.id, id);
    await expect(notesAs(stranger.client).show(on.parent, on.id, id)).rejects.toThrow(/404/);
  });

  it('become an award when they are one emoji', async () => {
    const awarded = await notes.create(on.parent, on.id, ':tada:');
    expect(awarded).toMatchObject({ name: 'tada', awardable_type: on.type, user: { username: world.member.username } });
  });
});

it('report changes of an issue, and run quick actions', async () => {
  const { projectId, member } = world;
  const { iid } = await member.client.Issues.create(projectId, 'Before');
  await member.client.Issues.edit(projectId, iid, { title: 'After', confidential: true });
  const done = await member.client.IssueNotes.create(projectId, iid, '/close\n/due 2030-01-31');
  expect(done).toMatchObject({ commands_changes: { state_event: 'close', due_date: '2030-01-31' } });
  const notes = await member.client.IssueNotes.all(projectId, iid, { sort: 'asc' });
  expect(notes.every(({ system }) => system)).toBe(true);
  expect(notes.map(({ body }) => body)).toEqual([
    'changed title from **{-Before-}** to **{+After+}**',
    'made the issue confidential',
    'closed',
    'changed due date to January 31, 2030',
  ]);
});

it('can be hidden from users below reporter', async () => {
  const { projectId, member } = world;
  const { iid } = await member.client.Issues.create(projectId, 'Open to all');
  const hidden = await member.client.IssueNotes.create(projectId, iid, 'Between us', { internal: true });
  expect(hidden).toMatchObject({ confidential: true, internal: true });
  const { client } = await newUser('stranger');
  expect(await client.IssueNotes.all(projectId, iid)).toEqual([]);
  await expect(client.IssueNotes.show(projectId, iid, hidden.id)).rejects.toThrow(/404 Not found/);
});
