import { uniqueName } from '../../server/connection';
import type { People } from './people';
import { asRoot, everywhere, fileNamed, makerBelow, nobody, type Records, recordsOf } from './send';

const developer = 30;
const owner = 50;

interface Group {
  id: string;
  /** As one path segment. */
  path: string;
}

/** A group owned by the administrator. */
export async function newGroup(visibility: string, parent_id?: unknown): Promise<Group> {
  const path = uniqueName('access');
  const group = await asRoot('POST', '/groups', { name: path, path, visibility, ...(parent_id ? { parent_id } : {}) });
  return { id: String(group.id), path: encodeURIComponent(String(group.full_path)) };
}

/** An epic with related records. */
async function fillEpic(groupId: unknown, confidential: boolean) {
  const make = makerBelow(`/groups/${groupId}/epics`);
  const epic = await make('', { title: 'epic', confidential });
  const note = await make(`/${epic.id}/notes`, { body: 'note' });
  const award = await make(`/${epic.iid}/award_emoji`, { name: 'tada' });
  const noteAward = await make(`/${epic.iid}/notes/${note.id}/award_emoji`, { name: 'tada' });
  const thread = await make(`/${epic.id}/discussions`, { body: 'thread' });
  const [first] = thread.notes as { id: number }[];
  return {
    ...{ epic: epic.iid, epic_id: epic.id, note: note.id, award: award.id, note_award: noteAward.id },
    ...{ thread: thread.id, thread_note: first!.id },
  };
}

/** One record of each kind that operations need, all created by the administrator. */
async function fill({ id, path }: Group, { bystander, share }: { bystander: number; share: string }): Promise<Records> {
  const make = makerBelow(`/groups/${id}`);
  const label = await make('/labels', { name: 'label', color: '#112233' });
  const milestone = await make('/milestones', { title: uniqueName('milestone') });
  const badge = await make('/badges', { link_url: 'https://example.com', image_url: 'https://example.com/x.png' });
  const hook = await make('/hooks', { url: 'https://receiver.invalid/', push_events: false });
  await make('/variables', { key: 'KEPT', value: 'x' });
  const token = await make('/deploy_tokens', { name: 'token', scopes: ['read_repository'] });
  const robot = { name: 'robot', scopes: ['read_api'], access_level: 10 };
  const accessToken = await make('/access_tokens', robot);
  const account = await make('/service_accounts');
  await make('/members', { user_id: bystander, access_level: 10 });
  await asRoot('PUT', `/groups/${id}/avatar`, fileNamed('a.png', picture));
  return recordsOf({
    ...{ id, path, label: label.id, milestone: milestone.id, badge: badge.id, hook: hook.id, token: token.id },
    ...{ member: bystander, other: share, access_token: accessToken.id, account: account.id },
    ...(await fillEpic(id, false)),
  });
}

/** The smallest possible image: one pixel. */
const picture = new Uint8Array(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
);

/** A group in every state, each with one record of each kind. */
export async function makeGroups(people: People) {
  const addMembers = async (id: string) => {
    await asRoot('POST', `/groups/${id}/members`, { user_id: people.owner.id, access_level: owner });
    await people.addMembers(`/groups/${id}`);
  };
  const given = { bystander: people.bystander.id, share: (await newGroup('public')).id };
  const withMembers = async (visibility: string) => {
    const group = await newGroup(visibility);
    await addMembers(group.id);
    return fill(group, given);
  };
  const [open, internal] = [await withMembers('public'), await withMembers('internal')];
  const [closed, deleted] = [await withMembers('private'), await withMembers('public')];
  await asRoot('DELETE', `/groups/${deleted.id}`);
  const subgroup = await fill(await newGroup('private', closed.id), given);

  const [elsewhere, invited, foreign] = [
    await newGroup('private'),
    await newGroup('private'),
    await newGroup('private'),
  ];
  await addMembers(invited.id);
  await asRoot('POST', `/groups/${foreign.id}/members`, { user_id: people.foreign.id, access_level: owner });
  await asRoot('POST', `/groups/${elsewhere.id}/share`, { group_id: invited.id, group_access: developer });
  const shared = await fill(elsewhere, given);

  const around = await newGroup('private');
  const name = uniqueName('within');
  const project = { name, path: name, namespace_id: around.id, visibility: 'private' };
  const { id: projectId } = await asRoot('POST', '/projects', project);
  await asRoot('POST', `/projects/${projectId}/members`, { user_id: people.owner.id, access_level: 40 });
  await people.addMembers(`/projects/${projectId}`);
  const within = await fill(around, given);

  await everywhere('deleted', `/groups/${deleted.id}`, {}, 404);
  const missing = { ...deleted, id: nobody, path: uniqueName('none') };
  return { public: open, internal, private: closed, shared, subgroup, within, deleted, missing };
}

/** A visible and a confidential epic of a public group. */
export async function makeEpics({ public: { id } }: { public: Records }) {
  const make = async (confidential: boolean) => recordsOf({ id, ...(await fillEpic(id, confidential)) });
  const [open, confidential] = [await make(false), await make(true)];
  return { open, confidential, missing: { ...confidential, epic: nobody, epic_id: nobody } };
}
