import { Access, createIssue, openIssueCounts, updateIssue } from '@moothall/contracts';
import { shareBetweenTests } from '@moothall/testing';
import { CollaborationUnderTest } from './collaboration-under-test';

const world = shareBetweenTests(() => CollaborationUnderTest.start());

const { Reporter, Maintainer } = Access;

it('open issues are counted by project, and the confidential among them', async () => {
  const [one, other, user] = [world.project(), world.project(), world.user()];
  const add = (title: string, over = {}) => world.inProject(createIssue, one, user, Reporter, { title, ...over });
  const [first] = [await add('first'), await add('second'), await add('third', { confidential: true })];
  await world.inProject(updateIssue, one, user, Maintainer, { issue_iid: first.iid, state_event: 'close' });
  const counts = await world.call(openIssueCounts, { project_ids: [one.id, other.id] }, { requestId: 'test' });
  expect(counts).toEqual([
    { project_id: one.id, open: 2, confidential: 1 },
    { project_id: other.id, open: 0, confidential: 0 },
  ]);
});
