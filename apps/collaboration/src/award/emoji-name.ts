import { find, has } from 'node-emoji';

/** Names in the API that differ from the names of the emoji list. */
const wireNames = new Map([
  ['+1', 'thumbsup'],
  ['-1', 'thumbsdown'],
]);
const listNames = new Map([...wireNames].map(([listed, wired]) => [wired, listed]));

/** The stored name of an emoji, `thumbsup` for `+1`; undefined for an unknown emoji. */
export function emojiNamed(name: string): string | undefined {
  const plain = name.replace(/^:|:$/g, '');
  return /^[\w+-]+$/.test(plain) && has(listNames.get(plain) ?? plain) ? (wireNames.get(plain) ?? plain) : undefined;
}

/** Name of the emoji if a text consists of one emoji only, as `:code:` or as the character. */
export function onlyEmojiIn(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length > 64) return undefined;
  if (/^:[\w+-]+:$/.test(trimmed)) return emojiNamed(trimmed);
  if (!/^\p{Extended_Pictographic}/u.test(trimmed)) return undefined;
  const found = find(trimmed);
  return found && found.emoji === trimmed ? emojiNamed(found.key) : undefined;
}
