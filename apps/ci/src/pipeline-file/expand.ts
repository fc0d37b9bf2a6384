import type { Variables } from './job-spec';

const reference = /\$(?:(\w+)|\{(\w+)\})/g;

const valueIn = (known: Variables, name: string): string => (Object.hasOwn(known, name) ? (known[name] ?? '') : '');

/** Replaces `$NAME` and `${NAME}` in a text; unknown variables are empty. */
export const expand = (text: string, known: Variables): string =>
  text.replace(reference, (_all, bare?: string, braced?: string) => valueIn(known, bare ?? braced ?? ''));

/** The same, truncated. Values may be megabytes and occur any number of times: none is inserted beyond the limit. */
export function expandUpTo(length: number, text: string, known: Variables): string {
  let expanded = '';
  let from = 0;
  for (const match of text.matchAll(reference)) {
    const [all, bare, braced] = match;
    const value = valueIn(known, bare ?? braced ?? '').slice(0, length);
    expanded += text.slice(from, match.index) + value;
    from = match.index + all.length;
    if (expanded.length >= length) return expanded.slice(0, length);
  }
  return (expanded + text.slice(from)).slice(0, length);
}
