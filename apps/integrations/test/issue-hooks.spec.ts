import {
  createProjectHook,
  type EventInput,
  issueChanged,
  labelsByIds,
  type OutputOf,
  type ProjectRef,
} from '@moothall/contracts';
import { eventually, uniqueId } from '@moothall/testing';
import { startWithReceiver } from './integrations-under-test';
import type { Receiver } from './receiver';

/* Hook payloads of issues. */

let started: Awaited<ReturnType<typeof startWithReceiver>>;
let receiver: Receiver;
beforeAll(async () => {
  started = await startWithReceiver();
  receiver = started.receiver;
});
afterAll(() => started?.stop());

const at = '2026-01-01T00:00:00.000Z';
const labelOf = (id: number): OutputOf<typeof labelsByIds>[number] => ({
  ...{ id, title: `label ${id}`, color: '#ff0000', description: null, template: false },
  ...{ type: 'ProjectLabel', project_id: 1, group_id: null, created_at: at, updated_at: at },
});

const issueOf = (project: ProjectRef, label_ids: number[]): EventInput<typeof issueChanged>['issue'] => ({
  ...{ id: uniqueId(), iid: 1, project_id: project.id, title: 'Crane', description: null, state: 'opened' },
  ...{ confidential: false, author_id: 7, assignee_ids: [], label_ids, milestone_id: null, due_date: null },
  ...{ weight: null, created_at: at, updated_at: at },
});

it('has the labels before and after, and only the ids of deleted ones', async () => {
  started.under.respond(labelsByIds, ({ ids }) => ids.filter((id) => id < 3).map(labelOf));
  const project = started.bed.project();
  const hook = { id: String(project.id), url: receiver.url('/labels'), issues_events: true };
  await started.bed.call(createProjectHook, hook, started.bed.as(project));
  const issue = issueOf(project, [1, 3]);
  const before = { label_ids: [2], title: 'Crane' };
  await started.bed.emit(issueChanged, { action: 'update', user_id: 7, issue, before });
  await eventually(async () => receiver.at('/labels').length === 1, 'the event');
  expect(receiver.at('/labels')[0]!.body).toMatchObject({
    object_kind: 'issue',
    labels: [labelOf(1), { id: 3 }],
    object_attributes: { labels: [labelOf(1), { id: 3 }] },
    changes: { labels: { previous: [labelOf(2)], current: [labelOf(1), { id: 3 }] }, title: { previous: 'Crane' } },
  });
});
