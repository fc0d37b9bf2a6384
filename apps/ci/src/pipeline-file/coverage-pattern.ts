import type { RE2JS } from 're2js';
import { compilePattern, isPattern } from './expression';

const mostChars = 1_000;
/** Each step costs time for every character. */
const mostSteps = 500;

/** The pattern of `coverage`, as `/Total: \d+%/`. @throws PipelineFileError for an invalid one */
export const coveragePattern = (text: string): RE2JS => compilePattern(text);

/** Whether a pattern is valid, linear, and cheap for each character. */
export function isCoveragePattern(text: string): boolean {
  if (text.length > mostChars || !isPattern(text)) return false;
  try {
    return coveragePattern(text).programSize() <= mostSteps;
  } catch {
    return false;
  }
}

/** Longer lines are not searched. */
const mostLineChars = 4_096;

/**
 * The percentage in the last line that matches the pattern: its last group, or the whole match.
 * @returns undefined without a match
 */
export function coverageOf(line: string, pattern: RE2JS): number | undefined {
  const matcher = pattern.matcher(line.slice(0, mostLineChars));
  let found: string | null = null;
  while (matcher.find()) found = matcher.group(matcher.groupCount());
  const [number] = /\d+(?:\.\d+)?/.exec(found ?? '') ?? [];
  const percent = Number(number);
  return number !== undefined && Number.isFinite(percent) ? percent : undefined;
}
