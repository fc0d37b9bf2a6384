import { releaseEvent } from './release-event';

const at = new Date('2020-10-15T08:12:01.123Z');
const day = at.toISOString();
const text = 'x'.repeat(5_000_000);

it('limits the size of an event, for any description and commit', () => {
  const release = {
    _id: 1,
    projectId: 2,
    tagName: 'v1',
    name: null,
    description: text,
    authorId: 3,
    milestoneIds: [],
    links: [],
    evidences: [],
    releasedAt: at,
    createdAt: at,
  };
  const commit = {
    id: 'a'.repeat(40),
    short_id: 'a'.repeat(8),
    created_at: day,
    parent_ids: [],
    title: text,
    message: text,
    author_name: 'Ada',
    author_email: 'ada@example.com',
    authored_date: day,
    committer_name: 'Ada',
    committer_email: 'ada@example.com',
    committed_date: day,
    web_url: 'http://moothall.test/commit',
  };
  const event = releaseEvent(release, { action: 'create', userId: 3, commit });
  expect(event.data).toMatchObject({ release: { name: 'v1', description: '' }, commit: { author: { name: 'Ada' } } });
  expect(JSON.stringify(event).length).toBeLessThan(30_000);
});
