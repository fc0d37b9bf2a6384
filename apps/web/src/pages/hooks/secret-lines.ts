import { hookOptions, mostOfHook } from '@moothall/contracts';

/** A header or a variable. */
export interface Pair {
  key: string;
  value: string;
}

/** What the lines of a text area are, with the name of the parameter. */
export interface LineKind {
  parameter: 'custom_headers' | 'url_variables';
  /** Between name and value. */
  separator: ':' | '=';
}

/** A line with its number, from 1. */
interface Line {
  number: number;
  text: string;
}

/**
 * Reads one header or variable on each line; blank lines are skipped.
 * @returns the pairs, or what is wrong. That names lines by their numbers: all of a line may be secret
 */
export function readLines(text: string, { parameter, separator }: LineKind): { pairs: Pair[]; problems: string[] } {
  const lines = text
    .split('\n')
    .map((line, index) => ({ number: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '');
  if (lines.length > mostOfHook) return { pairs: [], problems: [`there are more than ${mostOfHook}`] };
  const pairs = lines.map((line) => pairIn(line, separator));
  const unread = lines.filter((line) => !line.text.includes(separator));
  if (unread.length > 0)
    return { pairs, problems: unread.map(({ number }) => `line ${number} has no ${nameOf[separator]}`) };
  const { error } = hookOptions[parameter].safeParse(pairs);
  return { pairs, problems: [...new Set(error?.issues.map((issue) => problemOf(issue, lines)))] };
}

const nameOf = { ':': 'colon', '=': 'equals sign' };

function pairIn({ text }: Line, separator: string): Pair {
  const at = text.indexOf(separator);
  return { key: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
}

/** A broken rule of the contract. Its path is the index of the pair, and `key` or `value`. */
function problemOf({ code, path: [index, part] }: Issue, lines: readonly Line[]): string {
  const { number } = lines[Number(index)] ?? { number: 0 };
  if (part === 'key') return `the name in line ${number} is not permitted`;
  if (code === 'too_small') return `line ${number} has no value`;
  if (code === 'too_big') return `the value in line ${number} is too long`;
  return `the value in line ${number} has a control character`;
}

type Issue = { code: string; path: PropertyKey[] };
