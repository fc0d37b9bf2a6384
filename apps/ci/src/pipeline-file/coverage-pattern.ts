import type { RE2JS } from 're2js';
import { compilePattern, isPattern } from './expression';

const mostChars = 1_000;
/** Each costs something at every letter that is read. */
const mostSteps = 500;

/** The pattern of `coverage`, as `/Total: \d+%/`. @throws PipelineFileError for an invalid one */
export const coveragePattern = (text: string): RE2JS => compilePattern(text);

/** Whether it is one that takes time in proportion to what it reads, and little for each letter. */
export function isCoveragePattern(text: string): boolean {
  if (text.length > mostChars || !isPattern(text)) return false;
  try {
    return coveragePattern(text).programSize() <= mostSteps;
  } catch {
    return false;
  }
}

/** Longer lines are no report of anything. */
const mostLineChars = 4_096;

/**
 * The percentage that a pattern finds in the last line that has one: in its last group, or all that it matched.
 * @returns undefined where no line has one
 */
export function coverageOf(line: string, pattern: RE2JS): number | undefined {
  const matcher = pattern.matcher(line.slice(0, mostLineChars));
  let found: string | null = null;
  while (matcher.find()) found = matcher.group(matcher.groupCount());
  const [number] = /\d+(?:\.\d+)?/.exec(found ?? '') ?? [];
  const percent = Number(number);
  return number !== undefined && Number.isFinite(percent) ? percent : undefined;
}
