import { invalidParameters, type Operation } from '@moothall/contracts';
import { z } from 'zod';
import { type Coercer, coercerOf } from './coerce';
import { credentialParameters } from './credential-parameters';

type Issue = z.core.$ZodIssue;

/** Turns raw parameters into an operation's input. @throws common.invalid_parameters, which names each problem */
export type Validator = (raw: Record<string, unknown>) => Record<string, unknown>;

export function validatorOf({ input, routes }: Operation): Validator {
  const coerce: Coercer = routes[0]?.method === 'GET' ? withoutBlanks(input, coercerOf(input)) : coercerOf(input);
  const known = new Set(input instanceof z.ZodObject ? Object.keys(input.shape) : []);
  const givesUnknown = (raw: Record<string, unknown>) =>
    Object.keys(raw).some((name) => !known.has(name) && !credentialParameters.has(name));
  return (raw) => {
    const coerced = coerce(raw);
    const result = input.safeParse(coerced, { reportInput: true });
    if (result.success) return result.data;
    const { issues } = result.error;
    // A change of attributes that only other servers have is accepted, and changes nothing.
    if (issues.every(asksForChange) && givesUnknown(raw)) return withoutRules(input).parse(coerced);
    throw invalidParameters(...new Set(issues.flatMap(wordingOf)));
  };
}

/** Blank filters are ignored, as in partly filled forms. */
function withoutBlanks(input: Operation['input'], coerce: Coercer): Coercer {
  const shape = input instanceof z.ZodObject ? (input.shape as Record<string, z.ZodType>) : {};
  const optional = Object.entries(shape).flatMap(([name, field]) => (field.safeParse(undefined).success ? name : []));
  return (raw) => {
    const fields = coerce(raw) as Record<string, unknown>;
    for (const name of optional) {
      const value = fields[name];
      if (value === '' || (Array.isArray(value) && value.length === 0)) delete fields[name];
    }
    return fields;
  };
}

const asksForChange = (issue: Issue): boolean => issue.code === 'custom' && issue.params?.asksForChange === true;

/** Parameters without rules across several of them. */
const withoutRules = (input: Operation['input']): Operation['input'] =>
  input instanceof z.ZodObject ? z.object(input.shape) : input;

/** `files[0][content]` for a problem inside of a list; `iids` for one of a plain item. */
function nameOf(path: PropertyKey[]): string {
  const named = path.slice(0, path.findLastIndex((part) => typeof part !== 'number') + 1);
  return named.map((part, index) => (index === 0 ? String(part) : `[${String(part)}]`)).join('');
}

/** A problem in the words of v4. See docs/api/requests.md#9. */
function wordingOf(issue: Issue): string[] {
  // Rules across several parameters have complete messages.
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
