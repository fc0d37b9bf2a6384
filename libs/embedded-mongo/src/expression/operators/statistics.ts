import { type Accumulator, accumulatorNamed } from '../terms/accumulators';
import { compileArguments } from '../terms/arguments';
import type { CompileOperator } from '../terms/operator';

/** The accumulators that are also functions: of their arguments, or of the one array they are given. */
const overArguments = (name: string): CompileOperator => {
  return (operand, context) => {
    const parts = compileArguments(operand, context);
    // The accumulator itself reads one value at a time, from a document made for it.
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
