import { type Accumulator, accumulatorNamed } from '../terms/accumulators';
import { compileArguments } from '../terms/arguments';
import type { CompileOperator } from '../terms/operator';

/** Accumulators that are also functions: of their arguments, or of a single array. */
const overArguments = (name: string): CompileOperator => {
  return (operand, context) => {
    const parts = compileArguments(operand, context);
    // The accumulator reads one value at a time, from a temporary document.
    const create = accumulatorNamed(name)('$value', context, undefined, name);
    return (root, scope) => {
      const given = parts.map((part) => part(root, scope));
      const [only] = given;
      const values = given.length === 1 && Array.isArray(only) ? only : given;
      const accumulator: Accumulator = create(() => {});
      for (const value of values) accumulator.add({ value }, scope);
      return accumulator.result();
    };
  };
};

export const statisticsOperators: Record<string, CompileOperator> = Object.fromEntries(
  ['$sum', '$avg', '$min', '$max', '$stdDevPop', '$stdDevSamp'].map((name) => [name, overArguments(name)]),
);
