import { root } from '../server/connection';
import { newPlace, type Place } from './place';

/* The record of labels given and taken, as a v4 client reads it. */

type Client = Place['member']['client'];

let place: Place;

beforeAll(async () => {
  place = await newPlace();
  await root.GroupMembers.add(place.groupId, 40, { userId: place.member.id });
  await root.GroupLabels.create(place.groupId, 'one', '#112233', { description: 'The first' });
  await root.GroupLabels.create(place.groupId, 'two', '#445566');
});

/** A record that had `one`, and then `two` instead: where its events are. */
const kinds: Record<
  string,
  (place: Place) => Promise<[parent: number, id: number, events: Client['IssueLabelEvents']]>
> = {
  Issue: async ({ projectId, member: { client } }) => {
    const { iid } = await client.Issues.create(projectId, 'Labelled', { labels: 'one' });
    await client.Issues.edit(projectId, iid, { labels: 'two' });
    return [projectId, iid, client.IssueLabelEvents];
  },
  MergeRequest: async ({ projectId, member: { client } }) => {
    const file = [{ action: 'create' as const, filePath: 'labelled.txt', content: 'x' }];
    await client.Commits.create(projectId, 'labelled', 'Write', file, { startBranch: 'main' });
    const options = { labels: 'one' };
    const { iid } = await client.MergeRequests.create(projectId, 'labelled', 'main', 'Labelled', options);
    await client.MergeRequests.edit(projectId, iid, { labels: 'two' });
    return [projectId, iid, client.MergeRequestLabelEvents];
  },
  Epic: async ({ groupId, member: { client } }) => {
    const { id, iid } = await client.Epics.create(groupId, 'Labelled', { labels: 'one' });
    await client.Epics.edit(groupId, iid, { labels: 'two' });
    return [groupId, id, client.EpicLabelEvents];
  },
};

it.each(Object.keys(kinds))('of the kind %s has every change', async (kind) => {
  const [parent, id, resource] = await kinds[kind]!(place);
  const events = await resource.all(parent, id);
  expect(events.map(({ action, label }) => [action, (label as { name: string }).name]).sort()).toEqual([
    ['add', 'one'],
    ['add', 'two'],
    ['remove', 'one'],
  ]);
  expect(await resource.show(parent, id, events[0]!.id)).toEqual({
    id: events[0]!.id,
    user: expect.objectContaining({ username: place.member.username }),
    created_at: expect.any(String),
    resource_type: kind,
    resource_id: expect.any(Number),
    action: 'add',
    label: expect.objectContaining({ name: 'one', color: '#112233', description: 'The first' }),
  });
  await expect(resource.show(parent, id, 99_999_999)).rejects.toThrow(/404/);
});

it('loses the label, not the event, when the label is deleted', async () => {
  const { projectId, member } = place;
  const { Issues, IssueLabelEvents, ProjectLabels } = member.client;
  await ProjectLabels.create(projectId, 'short-lived', 'red');
  const { iid } = await Issues.create(projectId, 'Outlives', { labels: 'short-lived' });
  await ProjectLabels.remove(projectId, 'short-lived');
  expect(await IssueLabelEvents.all(projectId, iid)).toMatchObject([{ action: 'add', label: null }]);
});
