import { matchesNothing } from './matches-nothing';

describe('filters that match nothing', () => {
  it.each([
    [{ labelIds: { $in: [] } }],
    [{ state: 'opened', $and: [{ title: /a/ }, { _id: { $in: [] } }] }],
    [{ $and: [{ $and: [{ _id: { $in: [], $gt: 5 } }] }] }],
    [{ userId: 1, $or: [{ projectId: { $in: [] } }, { type: 'a', projectId: { $in: [] } }] }],
    [{ userId: 1, $or: [] }],
  ])('are detected: %j', (filter) => expect(matchesNothing(filter)).toBe(true));

  it.each([
    [{}],
    [{ labelIds: { $in: [1] } }],
    [{ labelIds: { $nin: [] } }],
    [{ milestoneId: null, title: /a/, labelIds: [], createdAt: new Date(0) }],
    [{ $or: [{ labelIds: { $in: [] } }, { authorId: 1 }] }],
    [{ $nor: [{ labelIds: { $in: [] } }] }],
  ])('are not those that match: %j', (filter) => expect(matchesNothing(filter)).toBe(false));
});
