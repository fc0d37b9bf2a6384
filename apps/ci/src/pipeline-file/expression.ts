import { RE2JS } from 're2js';
import { PipelineFileError, type Variables } from './job-spec';

/*
 * Expressions of `rules:if` and `only:variables`:
 *   or         = and { '||' and }
 *   and        = comparison { '&&' comparison }
 *   comparison = value [ ('==' | '!=' | '=~' | '!~') value ]
 *   value      = $NAME | "text" | 'text' | /pattern/flags | null | '(' or ')'
 */

type Value = string | null | boolean | RE2JS;

interface Token {
  kind: 'variable' | 'text' | 'pattern' | 'null' | 'operator';
  text: string;
}

const tokenPattern =
  /\s*(?:\$(?<braced>\{\w+\}|\w+)|"(?<double>[^"]*)"|'(?<single>[^']*)'|\/(?<pattern>(?:[^/\\\n]|\\.)*)\/(?<flags>[a-z]*)|(?<nothing>null)\b|(?<operator>&&|\|\||==|!=|=~|!~|[()]))/y;
const maxLength = 10_000;
const maxDepth = 100;

/**
 * Evaluates an expression.
 * @throws PipelineFileError for an invalid expression
 */
export function holds(expression: string, variables: Variables): boolean {
  const reader = new Reader(tokenize(expression), expression, variables);
  return isTrue(reader.read());
}

function tokenize(expression: string): Token[] {
  if (expression.length > maxLength) throw new PipelineFileError('an expression is too long');
  const tokens: Token[] = [];
  const end = expression.trimEnd().length;
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < end) {
    const groups = tokenPattern.exec(expression)?.groups;
    if (!groups) throw new PipelineFileError(`invalid expression syntax: ${expression}`);
    tokens.push(tokenOf(groups));
  }
  return tokens;
}

function tokenOf(groups: Record<string, string | undefined>): Token {
  const { braced, double, single, pattern, flags = '', nothing, operator } = groups;
  if (braced !== undefined) return { kind: 'variable', text: braced.replace(/[{}]/g, '') };
  if (pattern !== undefined) return { kind: 'pattern', text: `/${pattern}/${flags}` };
  if (nothing !== undefined) return { kind: 'null', text: 'null' };
  if (operator !== undefined) return { kind: 'operator', text: operator };
  return { kind: 'text', text: double ?? single ?? '' };
}

class Reader {
  private at = 0;
  private depth = 0;

  constructor(
    private readonly tokens: Token[],
    private readonly expression: string,
    private readonly variables: Variables,
  ) {}

  read(): Value {
    const value = this.or();
    if (this.at < this.tokens.length) throw this.wrong();
    return value;
  }

  // Both sides are always parsed: an invalid right side is an error whatever the left is.
  private or(): Value {
    let value = this.and();
    while (this.take('||')) {
      const right = this.and();
      value = isTrue(value) || isTrue(right);
    }
    return value;
  }

  private and(): Value {
    let value = this.comparison();
    while (this.take('&&')) {
      const right = this.comparison();
      value = isTrue(value) && isTrue(right);
    }
    return value;
  }

  private comparison(): Value {
    const left = this.value();
    if (this.take('==')) return left === this.value();
    if (this.take('!=')) return left !== this.value();
    if (this.take('=~')) return matches(left, this.value());
    if (this.take('!~')) return !matches(left, this.value());
    return left;
  }

  private value(): Value {
    if (this.take('(')) {
      this.depth += 1;
      if (this.depth > maxDepth) throw this.wrong();
      const value = this.or();
      if (!this.take(')')) throw this.wrong();
      this.depth -= 1;
      return isTrue(value);
    }
    const token = this.tokens[this.at];
    if (!token || token.kind === 'operator') throw this.wrong();
    this.at += 1;
    if (token.kind === 'variable') return this.variable(token.text);
    if (token.kind === 'null') return null;
    return token.kind === 'pattern' ? compilePattern(token.text) : token.text;
  }

  private variable(name: string): Value {
    return Object.hasOwn(this.variables, name) ? (this.variables[name] ?? null) : null;
  }

  private take(operator: string): boolean {
    const token = this.tokens[this.at];
    if (token?.kind !== 'operator' || token.text !== operator) return false;
    this.at += 1;
    return true;
  }

  private wrong(): PipelineFileError {
    return new PipelineFileError(`invalid expression syntax: ${this.expression}`);
  }
}

/** A variable is true if it is set and not empty. */
const isTrue = (value: Value): boolean =>
  value === true || value instanceof RE2JS || (typeof value === 'string' && value !== '');

function matches(value: Value, pattern: Value): boolean {
  if (typeof value !== 'string') return false;
  // A pattern may also come from a variable.
  const compiled = typeof pattern === 'string' && isPattern(pattern) ? compilePattern(pattern) : pattern;
  return compiled instanceof RE2JS && compiled.matcher(value).find();
}

export const isPattern = (text: string): boolean => /^\/.*\/[a-z]*$/s.test(text);

/** @param pattern as `/^v\d+/i` @throws PipelineFileError */
export function compilePattern(pattern: string): RE2JS {
  const end = pattern.lastIndexOf('/');
  const flags = pattern.slice(end + 1);
  try {
    return RE2JS.compile(
      pattern.slice(1, end).replaceAll('\\/', '/'),
      flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0,
    );
  } catch {
    throw new PipelineFileError(`invalid pattern: ${pattern}`);
  }
}
