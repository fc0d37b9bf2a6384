import { newUser } from '../server/connection';
import { newWorld } from './world';

/* Links between issues of two projects, by a v4 client. */

it('are created, visible from both ends, and deleted', async () => {
  const [here, there] = [await newWorld(), await newWorld()];
  const { client } = here.member;
  const from = await client.Issues.create(here.projectId, 'Blocks');
  const to = await there.member.client.Issues.create(there.projectId, 'Is blocked');
  const asked = () =>
    client.IssueLinks.create(here.projectId, from.iid, there.projectId, to.iid, { linkType: 'blocks' });
  await expect(asked()).rejects.toThrow(/No matching issue found/);
  await there.member.client.ProjectMembers.add(there.projectId, 20, { userId: here.member.id });
  const made = await asked();
  expect(made).toMatchObject({ source_issue: { id: from.id }, target_issue: { id: to.id }, link_type: 'blocks' });
  await expect(asked()).rejects.toThrow(/already assigned/);
  const [seen] = await client.IssueLinks.all(there.projectId, to.iid);
  expect(seen).toMatchObject({ id: from.id, link_type: 'is_blocked_by', link_created_at: expect.stringMatching(/Z$/) });
  expect(await client.IssueLinks.all(here.projectId, from.iid)).toMatchObject([{ id: to.id, link_type: 'blocks' }]);
  expect(await client.Issues.show(from.iid, { projectId: here.projectId })).toMatchObject({ blocking_issues_count: 1 });
  const { issue_link_id } = seen!;
  const stranger = await newUser('stranger');
  const refused = stranger.client.IssueLinks.remove(here.projectId, from.iid, issue_link_id);
  await expect(refused).rejects.toThrow(/403/);
  expect(await client.IssueLinks.remove(there.projectId, to.iid, issue_link_id)).toMatchObject({ link_type: 'blocks' });
  expect(await client.IssueLinks.all(here.projectId, from.iid)).toEqual([]);
});
