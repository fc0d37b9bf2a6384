import { placed } from './placed-record';

const firstIds = { snippets: 500, state_events: 700, notes: 1000 };
const open = { firstIds, restricted: [] };

it('gives records the ids that were reserved for their lines', () => {
  expect(placed(open, 'state_events', { id: 3, state: 'closed' })).toEqual({ id: 702, state: 'closed' });
  expect(placed(open, 'labels', { title: 'bug' })).toEqual({ title: 'bug' });
});

it('lets notes name their discussion and their snippet by these', () => {
  const note = { id: 2, discussion_id: 1, noteable_type: 'Snippet', noteable_iid: 4 };
  expect(placed(open, 'notes', note)).toEqual({ ...note, id: 1001, discussion_id: 1000, noteable_iid: 503 });
  const onIssue = { id: 1, discussion_id: null, noteable_type: 'Issue', noteable_iid: 4 };
  expect(placed(open, 'notes', onIssue)).toEqual({ ...onIssue, id: 1000 });
});

it('shows a snippet no wider than the importer may', () => {
  const shown = (visibility: string) => placed({ firstIds, restricted: ['public'] }, 'snippets', { id: 1, visibility });
  expect(shown('public')).toEqual({ id: 500, visibility: 'private' });
  expect(shown('internal')).toEqual({ id: 500, visibility: 'internal' });
});
