import { RE2JS } from 're2js';

export interface Matching {
  pattern: string;
  /** Whether `^` and `$` also match at line breaks. */
  isMultiline: boolean;
  texts: readonly string[];
}

/** Which of the texts match the pattern. Runs in a thread that can be terminated: see PatternMatcher. */
export default function matchInThread({ pattern, isMultiline, texts }: Matching): boolean[] {
  const expression = RE2JS.compile(pattern, isMultiline ? RE2JS.MULTILINE : 0);
  return texts.map((text) => expression.matcher(text).find());
}
