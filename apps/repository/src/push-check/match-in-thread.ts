import { RE2JS } from 're2js';

export interface Matching {
  pattern: string;
  /** `^` and `$` also stand for the ends of lines. */
  isMultiline: boolean;
  texts: readonly string[];
}

/** Which of the texts have something that the pattern describes. Runs in a thread that can be ended: see PatternMatcher. */
export default function matchInThread({ pattern, isMultiline, texts }: Matching): boolean[] {
  const expression = RE2JS.compile(pattern, isMultiline ? RE2JS.MULTILINE : 0);
  return texts.map((text) => expression.matcher(text).find());
}
