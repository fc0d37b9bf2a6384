/** Lines of a text with their ends; the last one may have none. */
export function linesOf(text: string): string[] {
  const ended = text.split('\n');
  const last = ended.pop() ?? '';
  return [...ended.map((line) => `${line}\n`), ...(last === '' ? [] : [last])];
}

interface Range {
  /** Starting from 1. */
  first: number;
  /** Inclusive. */
  last: number;
}

interface Replacement extends Range {
  before: string;
  after: string;
}

const textAt = (lines: readonly string[], { first, last }: Range): string => lines.slice(first - 1, last).join('');

/** The lines of a range; undefined beyond the end. @param lines of {@link linesOf} */
export function findLines(lines: readonly string[], range: Range): string | undefined {
  const found = textAt(lines, range);
  return found === '' ? undefined : found;
}

/** The text with replaced ranges; undefined if one of them no longer has its expected lines. */
export function replaceIn(text: string, replacements: readonly Replacement[]): string | undefined {
  const lines = linesOf(text);
  if (replacements.some((one) => textAt(lines, one) !== one.before)) return undefined;
  // From the end, so that earlier line numbers stay valid.
  const fromTheEnd = [...replacements].sort((a, b) => b.first - a.first);
  for (const { first, last, after } of fromTheEnd) lines.splice(first - 1, last - first + 1, after);
  return lines.join('');
}
