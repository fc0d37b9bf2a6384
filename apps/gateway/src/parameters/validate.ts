import { invalidParameters, type Operation } from '@moothall/contracts';
import { z } from 'zod';
import { type Coercer, coercerOf } from './coerce';

type Issue = z.core.$ZodIssue;

/** Turns raw parameters into an operation's input. @throws common.invalid_parameters, naming each problem */
export type Validator = (raw: Record<string, unknown>) => Record<string, unknown>;

export function validatorOf({ input }: Operation): Validator {
  const coerce: Coercer = coercerOf(input);
  return (raw) => {
    const result = input.safeParse(coerce(raw), { reportInput: true });
    if (result.success) return result.data;
    throw invalidParameters(...new Set(result.error.issues.flatMap(wordingOf)));
  };
}

/** `files[0][content]` for a problem inside of a list. */
const nameOf = (path: PropertyKey[]): string =>
  path.map((part, index) => (index === 0 ? String(part) : `[${String(part)}]`)).join('');

/** A problem in the words that v4 clients know. Source: clarifications A.3. */
function wordingOf(issue: Issue): string[] {
  // Rules over several parameters say all there is to say.
  if (issue.path.length === 0) return [issue.message];
  const name = nameOf(issue.path);
  if (issue.code === 'invalid_type' && issue.input === undefined) return [`${name} is missing`];
  if (issue.code === 'invalid_value')
    return [issue.input === undefined ? `${name} is missing` : `${name} does not have a valid value`];
  if (issue.code === 'too_small' && issue.origin === 'string') return [`${name} is empty`];
  if (issue.code === 'too_small' || issue.code === 'too_big') return [sizeWording(name, issue)];
  if (issue.code === 'invalid_union' && issue.input === undefined) return [`${name} is missing`];
  if (issue.code === 'custom' && issue.message !== 'Invalid input') return [`${name} ${issue.message}`];
  return [`${name} is invalid`];
}

function sizeWording(name: string, issue: Issue): string {
  if (issue.code === 'too_big' && issue.origin === 'string') return `${name} is too long (maximum is ${issue.maximum})`;
  return `${name} does not have a valid value`;
}
