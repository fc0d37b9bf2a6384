import {
  countIdentityRecords,
  countTalkRecords,
  createBroadcastMessage,
  createProject,
  deleteBroadcastMessage,
  getApplicationStatistics,
  getBroadcastMessage,
  listBroadcastMessages,
  updateBroadcastMessage,
} from '@moothall/contracts';
import { shareBetweenTests } from '@moothall/testing';
import { refusal, startProjects, uniqueName } from './projects-under-test';

const projects = shareBetweenTests(() => startProjects());
const administrator = () => projects.user(undefined, { isAdmin: true });

it('is shown for an hour by default, and to every caller', async () => {
  const root = await administrator();
  const made = await projects.ask(root, createBroadcastMessage, { message: 'We move on Sunday' });
  expect(made).toMatchObject({ message: 'We move on Sunday', active: true, target_access_levels: [], theme: 'indigo' });
  expect(Date.parse(made.ends_at) - Date.parse(made.starts_at)).toBe(3_600_000);
  expect(await projects.ask(undefined, getBroadcastMessage, { id: made.id })).toEqual(made);
  const later = { message: 'Later', starts_at: '2099-01-01T00:00:00Z', target_access_levels: [30, 40] };
  const second = await projects.ask(root, createBroadcastMessage, later);
  expect(second).toMatchObject({ active: false, target_access_levels: [30, 40], ends_at: '2099-01-01T01:00:00.000Z' });
  const { items } = await projects.ask(undefined, listBroadcastMessages, {});
  expect(items.slice(0, 2).map(({ id }) => id)).toEqual([second.id, made.id]);
});

it('is created by administrators only, and ends after it starts', async () => {
  const [root, ann] = [await administrator(), await projects.user()];
  const { id } = await projects.ask(root, createBroadcastMessage, { message: 'first', dismissable: true });
  const changed = await projects.ask(root, updateBroadcastMessage, { id, broadcast_type: 'notification' });
  expect(changed).toMatchObject({ message: 'first', dismissable: true, broadcast_type: 'notification' });
  const over = projects.ask(root, updateBroadcastMessage, { id, ends_at: '2020-01-01T00:00:00Z' });
  expect((await refusal(over)).code).toBe('common.invalid_record');
  expect((await refusal(projects.ask(ann, createBroadcastMessage, { message: 'x' }))).code).toBe('common.forbidden');
  await projects.ask(root, deleteBroadcastMessage, { id });
  const gone = [
    () => projects.ask(root, deleteBroadcastMessage, { id }),
    () => projects.ask(root, updateBroadcastMessage, { id, message: 'x' }),
    () => projects.ask(root, getBroadcastMessage, { id }),
  ];
  for (const ask of gone) expect((await refusal(ask())).code).toBe('broadcast_message.not_found');
});

it.each([
  ['levels that are none', { target_access_levels: [35] }],
  ['colours that are none', { font: 'red;}' }],
  ['a text without end', { message: 'x'.repeat(10_001) }],
])('has no %s', (_what, given) => {
  expect(createBroadcastMessage.input.safeParse({ message: 'x', ...given }).success).toBe(false);
});

it('has a right count', async () => {
  projects.respond(countIdentityRecords, () => ({ users: 1234, active_users: 7, ssh_keys: 2 }));
  projects.respond(countTalkRecords, () => ({
    ...{ issues: 1_000_000, merge_requests: 4, notes: 5, snippets: 6, milestones: 0 },
  }));
  const [root, ann] = [await administrator(), await projects.user()];
  await projects.ask(ann, createProject, { name: uniqueName('tool') });
  const statistics = await projects.ask(root, getApplicationStatistics, {});
  expect(statistics).toMatchObject({ users: '1,234', issues: '1,000,000', notes: '5', milestones: '0', forks: '0' });
  expect(Number(statistics.projects)).toBeGreaterThan(0);
  expect((await refusal(projects.ask(ann, getApplicationStatistics, {}))).code).toBe('common.forbidden');
});
