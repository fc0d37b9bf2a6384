import { emojiNamed, onlyEmojiIn } from './emoji-name';

describe('names of emoji', () => {
  it.each([
    ['thumbsup', 'thumbsup'],
    ['+1', 'thumbsup'],
    [':tada:', 'tada'],
    ['-1', 'thumbsdown'],
  ])('normalizes %s to %s', (given, name) => expect(emojiNamed(given)).toBe(name));

  it.each(['', 'no_such_emoji', 'constructor', 'a b'])('has no emoji %p', (name) =>
    expect(emojiNamed(name)).toBeUndefined(),
  );

  it.each([
    [':thumbsup:', 'thumbsup'],
    ['  :tada: \n', 'tada'],
    ['👍', 'thumbsup'],
    ['🎉', 'tada'],
  ])('finds the only emoji in %p', (text, name) => expect(onlyEmojiIn(text)).toBe(name));

  it.each(['nice :tada:', ':tada: :tada:', 'thumbsup', ':no_such_emoji:', '1', '👍 ok', ''])(
    'reads %p as separate names',
    (text) => expect(onlyEmojiIn(text)).toBeUndefined(),
  );
});
