import { fieldNames, hasField } from '../../bson/document';
import { isDocument, type Value } from '../../bson/value';
import { MongoError } from '../../errors';
import type { CompileContext, CompileOperator, Evaluate } from './operator';

/** An operator over a fixed number of arguments, or between two numbers of them. */
export function positional(least: number, most: number, compute: (...values: Value[]) => Value): CompileOperator {
  return (operand, context, name) => {
    const parts = compileArguments(operand, context);
    if (parts.length < least || parts.length > most) throw wrongCount(name, least, most, parts.length);
    const [first, second] = parts;
    // The two commonest shapes are spared the array.
    if (parts.length === 1) return (root, scope) => compute(first?.(root, scope));
    if (parts.length === 2) return (root, scope) => compute(first?.(root, scope), second?.(root, scope));
    return (root, scope) => compute(...parts.map((part) => part(root, scope)));
  };
}

/** An operator over any number of arguments. */
export function variadic(compute: (values: Value[]) => Value): CompileOperator {
  return (operand, context) => {
    const parts = compileArguments(operand, context);
    return (root, scope) => compute(parts.map((part) => part(root, scope)));
  };
}

/** An operator over named arguments; absent optional ones arrive as undefined. */
export function named(
  required: string[],
  optional: string[],
  compute: (values: Record<string, Value>) => Value,
): CompileOperator {
  return (operand, context, name) => {
    const parts = compileNamed(operand, required, optional, context, name);
    return (root, scope) => {
      const values: Record<string, Value> = {};
      for (const [key, part] of parts) values[key] = part(root, scope);
      return compute(values);
    };
  };
}

export function compileArguments(operand: Value, context: CompileContext): Evaluate[] {
  return Array.isArray(operand) ? operand.map(context.compile) : [context.compile(operand)];
}

/** Checks and compiles named arguments. */
export function compileNamed(
  operand: Value,
  required: string[],
  optional: string[],
  context: CompileContext,
  name: string,
): Map<string, Evaluate> {
  const document = namedOperand(operand, required, optional, name);
  return new Map(fieldNames(document).map((key) => [key, context.compile(document[key])]));
}

/** Checks named arguments, for operators that compile them themselves. */
export function namedOperand(operand: Value, required: string[], optional: string[], name: string) {
  if (!isDocument(operand)) throw new MongoError('FailedToParse', `${name} only supports an object as its argument`);
  for (const key of fieldNames(operand)) {
    if (!required.includes(key) && !optional.includes(key)) {
      throw new MongoError('FailedToParse', `Unrecognized argument to ${name}: ${key}`);
    }
  }
  for (const key of required) {
    if (!hasField(operand, key)) throw new MongoError('FailedToParse', `Missing '${key}' parameter to ${name}`);
  }
  return operand;
}

function wrongCount(name: string, least: number, most: number, count: number): MongoError {
  if (least === most) {
    return new MongoError(16020, `Expression ${name} takes exactly ${least} arguments. ${count} were passed in.`);
  }
  return new MongoError(
    28667,
    `Expression ${name} takes at least ${least} arguments, and at most ${most}, but ${count} were passed in.`,
  );
}

export const isNullish = (value: Value): value is null | undefined => value === null || value === undefined;
