import { RE2JS } from 're2js';
import { PipelineFileError } from './job-spec';

/*
 * Patterns of files, as `docs/*.md`, `src/**\/*.{ts,js}`, `[a-c]?`: `*` and `?` stop at slashes, `**\/` matches any
 * number of folders. Matched in time linear to the path.
 */

/** Limit of a pattern with resolved variables. */
const maxLength = 1000;

/** Whether it contains any special characters. */
export const isGlob = (pattern: string): boolean => /[*?[{\\]/.test(pattern);

/** @returns whether a path of the repository matches @throws PipelineFileError for an invalid pattern */
export function matcherOf(pattern: string): (path: string) => boolean {
  if (pattern.length > maxLength) throw new PipelineFileError(`The pattern \`${pattern.slice(0, 200)}\` is too long`);
  if (!isGlob(pattern)) return (path) => path === pattern;
  const start = /^[^*?[{\\]*/.exec(pattern)?.[0] ?? '';
  const compiled = compile(pattern);
  // Comparing the first letters excludes most paths, which is quicker.
  return (path) => path.startsWith(start) && compiled.matches(path);
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(new Translation(pattern).read(), RE2JS.DOTALL);
  } catch {
    throw new PipelineFileError(`The pattern \`${pattern}\` cannot be read`);
  }
}

class Translation {
  private at = 0;
  /** Of braces. */
  private depth = 0;
  /** Positions of braces that are closed. */
  private readonly braces: Set<number>;

  constructor(private readonly pattern: string) {
    this.braces = this.findBraces();
  }

  /** Up to the end, or in braces to the comma or brace that ends one of the alternatives. */
  read(): string {
    let out = '';
    while (this.at < this.pattern.length) {
      const letter = this.pattern[this.at] ?? '';
      if (this.depth > 0 && (letter === ',' || letter === '}')) break;
      out += this.next(letter);
    }
    return out;
  }

  private next(letter: string): string {
    if (letter === '*') return this.stars();
    if (letter === '[') return this.letters();
    if (this.braces.has(this.at)) return this.alternatives();
    this.at += letter === '\\' ? 2 : 1;
    if (letter === '?') return '[^/]';
    return RE2JS.quote(letter === '\\' ? (this.pattern[this.at - 1] ?? '\\') : letter);
  }

  private stars(): string {
    const before = this.pattern[this.at - 1];
    const isFolders = (before === undefined || '/{,'.includes(before)) && this.pattern.startsWith('**/', this.at);
    if (isFolders) {
      this.at += 3;
      return '(?:[^/]+/)*';
    }
    while (this.pattern[this.at] === '*') this.at += 1;
    return '[^/]*';
  }

  private letters(): string {
    const end = this.endOfLetters(this.at);
    const inside = this.pattern.slice(this.at + 1, end);
    this.at = end === -1 ? this.at + 1 : end + 1;
    if (end === -1) return '\\[';
    const isNegated = inside.startsWith('!') || inside.startsWith('^');
    const set = (isNegated ? inside.slice(1) : inside).replace(/[\\[\]^]/g, '\\$&');
    return isNegated ? `[^/${set}]` : `[${set}]`;
  }

  private endOfLetters(start: number): number {
    return this.pattern.indexOf(']', start + 2);
  }

  private alternatives(): string {
    const parts: string[] = [];
    this.depth += 1;
    do {
      this.at += 1;
      parts.push(this.read());
    } while (this.pattern[this.at] === ',');
    this.depth -= 1;
    this.at += 1;
    return `(?:${parts.join('|')})`;
  }

  private findBraces(): Set<number> {
    const open: number[] = [];
    const found = new Set<number>();
    for (let at = 0; at < this.pattern.length; at++) {
      const letter = this.pattern[at];
      if (letter === '\\') at += 1;
      else if (letter === '[') at = Math.max(at, this.endOfLetters(at));
      else if (letter === '{') open.push(at);
      else if (letter === '}') found.add(open.pop() ?? -1);
    }
    return found;
  }
}
