import { compareValues } from '../../bson/compare';
import { fieldNames } from '../../bson/document';
import { isTruthy } from '../../bson/truth';
import { isDocument, type Value } from '../../bson/value';
import { MongoError } from '../../errors';
import { compileArguments, compileNamed, isNullish, namedOperand, positional } from '../terms/arguments';
import type { CompileOperator, Evaluate } from '../terms/operator';

/** Like `compareValues`, but missing comes before null. */
export function compareOperands(a: Value, b: Value): number {
  if (a === undefined || b === undefined) {
    if (a === b) return 0;
    const other = a === undefined ? b : a;
    if (other === null) return a === undefined ? -1 : 1;
  }
  return compareValues(a, b);
}

const comparison = (holds: (order: number) => boolean): CompileOperator =>
  positional(2, 2, (a, b) => holds(compareOperands(a, b)));

const and: CompileOperator = (operand, context) => {
  const parts = compileArguments(operand, context);
  return (root, scope) => parts.every((part) => isTruthy(part(root, scope)));
};

const or: CompileOperator = (operand, context) => {
  const parts = compileArguments(operand, context);
  return (root, scope) => parts.some((part) => isTruthy(part(root, scope)));
};

const cond: CompileOperator = (operand, context, name) => {
  const [test, yes, no] = condParts(operand, context, name);
  return (root, scope) => (isTruthy(test(root, scope)) ? yes(root, scope) : no(root, scope));
};

function condParts(...[operand, context, name]: Parameters<CompileOperator>): [Evaluate, Evaluate, Evaluate] {
  if (isDocument(operand)) {
    const parts = compileNamed(operand, ['if', 'then', 'else'], [], context, name);
    return ['if', 'then', 'else'].map((key) => parts.get(key)) as [Evaluate, Evaluate, Evaluate];
  }
  const parts = compileArguments(operand, context);
  if (parts.length !== 3) {
    throw new MongoError(16020, `Expression $cond takes exactly 3 arguments. ${parts.length} were passed in.`);
  }
  return parts as [Evaluate, Evaluate, Evaluate];
}

const ifNull: CompileOperator = (operand, context) => {
  const parts = compileArguments(operand, context);
  if (parts.length < 2) {
    throw new MongoError(1257300, `$ifNull needs at least two arguments, had: ${parts.length}`);
  }
  const fallback = parts.at(-1) as Evaluate;
  return (root, scope) => {
    for (const part of parts.slice(0, -1)) {
      const value = part(root, scope);
      if (!isNullish(value)) return value;
    }
    return fallback(root, scope);
  };
};

const choose: CompileOperator = (operand, context, name) => {
  const document = namedOperand(operand, ['branches'], ['default'], name);
  if (!Array.isArray(document.branches)) {
    throw new MongoError(40061, "$switch expected an array for 'branches'");
  }
  const branches = document.branches.map((branch) => {
    const parts = compileNamed(branch, ['case', 'then'], [], context, '$switch');
    return { test: parts.get('case') as Evaluate, result: parts.get('then') as Evaluate };
  });
  const fallback = fieldNames(document).includes('default') ? context.compile(document.default) : undefined;
  if (branches.length === 0 && !fallback) throw new MongoError(40068, '$switch requires at least one branch.');
  return (root, scope) => {
    for (const { test, result } of branches) if (isTruthy(test(root, scope))) return result(root, scope);
    if (fallback) return fallback(root, scope);
    throw new MongoError(40066, '$switch could not find a matching branch for an input, and no default was specified.');
  };
};

export const logicOperators: Record<string, CompileOperator> = {
  $literal: (operand) => () => operand,
  $eq: comparison((order) => order === 0),
  $ne: comparison((order) => order !== 0),
  $gt: comparison((order) => order > 0),
  $gte: comparison((order) => order >= 0),
  $lt: comparison((order) => order < 0),
  $lte: comparison((order) => order <= 0),
  $cmp: positional(2, 2, (a, b) => Math.sign(compareOperands(a, b))),
  $and: and,
  $or: or,
  $not: positional(1, 1, (value) => !isTruthy(value)),
  $cond: cond,
  $ifNull: ifNull,
  $switch: choose,
};
