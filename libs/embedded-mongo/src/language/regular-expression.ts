import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { MongoError } from '../errors';

/** A caller's regular expression, matched in time linear to the text. */
export interface RegularExpression {
  test(text: string): boolean;
}

const optionFlags: Record<string, number> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
  x: 0,
  u: 0,
};

const compiled = new LRUCache<string, RegularExpression>({ max: 500 });

/**
 * @param options of `imsxu`; u is always on
 * @throws BadValue for unknown options, 51091 for patterns that are invalid or cannot run in linear time (back
 * references, look-ahead)
 */
export function compileRegularExpression(pattern: string, options: string): RegularExpression {
  const key = `${options}\0${pattern}`;
  const known = compiled.get(key);
  if (known) return known;
  const expression = compile(pattern, options);
  compiled.set(key, expression);
  return expression;
}

function compile(pattern: string, options: string): RegularExpression {
  const flags = flagsOf(options);
  if (pattern.includes('\0'))
    throw new MongoError('BadValue', 'Regular expression cannot contain an embedded null byte');
  const readable = options.includes('x') ? withoutLayout(pattern) : pattern;
  return literal(pattern, options) ?? automaton(options.includes('m') ? readable : withLineEnds(readable), flags);
}

function flagsOf(options: string): number {
  let flags = 0;
  for (const option of options) {
    const flag = optionFlags[option];
    if (flag === undefined) throw new MongoError('BadValue', `invalid flag in regex options: ${option}`);
    flags |= flag;
  }
  return flags;
}

/** Most patterns in practice are a plain text or a plain beginning. */
function literal(pattern: string, options: string): RegularExpression | undefined {
  if (/[imx]/.test(options)) return undefined;
  const text = pattern.startsWith('^') ? pattern.slice(1) : pattern;
  if (/[\\^$.|?*+()[\]{}]/.test(text)) return undefined;
  return { test: pattern.startsWith('^') ? (tried) => tried.startsWith(text) : (tried) => tried.includes(text) };
}

function automaton(pattern: string, flags: number): RegularExpression {
  try {
    const expression = RE2JS.compile(pattern, flags);
    return { test: (text) => expression.test(text) };
  } catch (error) {
    throw new MongoError(51091, `Regular expression is invalid: ${(error as Error).message}`);
  }
}

/** Option x: white space and comments outside of classes are ignored. */
function withoutLayout(pattern: string): string {
  return pattern.replace(/\\[\s\S]|\[\^?\]?(?:\\(?:[\s\S]|$)|[^\]\\])*(?:\]|$)|\s+|#[^\n]*/g, (part) =>
    /^[\s#]/.test(part) ? '' : part,
  );
}

/**
 * In PCRE the end of the text is also before its last line break. Patterns that change options within are not
 * changed.
 */
function withLineEnds(pattern: string): string {
  if (!pattern.includes('$') || /\(\?[a-z]|\\Q/i.test(pattern)) return pattern;
  return pattern.replace(/\\[\s\S]|\[\^?\]?(?:\\(?:[\s\S]|$)|[^\]\\])*(?:\]|$)|\$/g, (part) =>
    part === '$' ? '(?:\\n?\\z)' : part,
  );
}

/** One match of a regular expression. */
export interface Found {
  match: string;
  /** In code points from the beginning. */
  index: number;
  /** The captured groups, null for those that did not participate. */
  captures: (string | null)[];
}

/** Finds the matches of a pattern in a text, up to a limit. Errors are those of `compileRegularExpression`. */
export function compileMatches(pattern: string, options: string): (text: string, most: number) => Found[] {
  compileRegularExpression(pattern, options);
  const expression = RE2JS.compile(options.includes('x') ? withoutLayout(pattern) : pattern, flagsOf(options));
  return (text, most) => {
    const matcher = expression.matcher(text);
    const found: Found[] = [];
    while (found.length < most && matcher.find()) {
      const captures = Array.from({ length: matcher.groupCount() }, (_, group) => matcher.group(group + 1) ?? null);
      found.push({ match: matcher.group() ?? '', index: Array.from(text.slice(0, matcher.start())).length, captures });
    }
    return found;
  };
}
