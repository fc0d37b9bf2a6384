import { discussionIdOf, noteIdIn } from './discussion-id';

describe('the id of a discussion', () => {
  it.each([1, 255, 4_294_967_296, Number.MAX_SAFE_INTEGER])('has 40 digits, and leads back to note %i', (noteId) => {
    expect(discussionIdOf(noteId)).toMatch(/^[0-9a-f]{40}$/);
    expect(noteIdIn(discussionIdOf(noteId))).toBe(noteId);
  });

  it.each([
    '',
    '1',
    'f'.repeat(40),
    'F'.padStart(40, '0'),
    '-1'.padStart(40, '0'),
    `${'0'.repeat(26)}${'f'.repeat(14)}`,
  ])('is not %p', (text) => expect(noteIdIn(text)).toBeUndefined());
});
