import { find, has } from 'node-emoji';

/** Names of the wire for what the list of emoji calls otherwise. */
const wireNames = new Map([
  ['+1', 'thumbsup'],
  ['-1', 'thumbsdown'],
]);
const listNames = new Map([...wireNames].map(([listed, wired]) => [wired, listed]));

/** The one name under which an emoji is kept, `thumbsup` for `+1`; undefined where there is no such emoji. */
export function emojiNamed(name: string): string | undefined {
  const plain = name.replace(/^:|:$/g, '');
  return /^[\w+-]+$/.test(plain) && has(listNames.get(plain) ?? plain) ? (wireNames.get(plain) ?? plain) : undefined;
}

/** Name of the emoji that a text consists of, as a code between colons or as the character itself. */
export function onlyEmojiIn(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length > 64) return undefined;
  if (/^:[\w+-]+:$/.test(trimmed)) return emojiNamed(trimmed);
  if (!/^\p{Extended_Pictographic}/u.test(trimmed)) return undefined;
  const found = find(trimmed);
  return found && found.emoji === trimmed ? emojiNamed(found.key) : undefined;
}
