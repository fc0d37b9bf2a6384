import { Double, Int32 } from 'bson';
import type { Collation } from '../../bson/collation';
import { compareValues } from '../../bson/compare';
import { copyDocument, fieldNames, newDocument, setField } from '../../bson/document';
import { integral, toDouble } from '../../bson/number';
import { type Document, isDocument, isNumber, type Value } from '../../bson/value';
import { ValueSet } from '../../bson/value-set';
import { MongoError } from '../../errors';
import { compileSort, parseSort } from '../../language/sort';
import { isNullish, namedOperand } from './arguments';
import type { CompileContext, Evaluate, ExpressionScope } from './operator';
import { Sum } from './sum';

/** Computes one result of a group from its documents. */
export interface Accumulator {
  add(document: Document, scope: ExpressionScope): void;
  result(): Value;
}

/** Compiles an accumulator's operand; the result creates one accumulator per group. */
export type CompileAccumulator = (
  operand: Value,
  context: CompileContext,
  collation: Collation | undefined,
  name: string,
) => (hold: Hold) => Accumulator;

/** Called for every value that an accumulator stores, to limit the memory of all groups together. */
export type Hold = (value: Value) => void;

/** An accumulator over the values of one expression. */
function over(
  create: (collation: Collation | undefined, hold: Hold) => { add(value: Value): void; result(): Value },
): CompileAccumulator {
  return (operand, context, collation) => {
    const evaluate = context.compile(operand);
    return (hold) => {
      const inner = create(collation, hold);
      return { add: (document, scope) => inner.add(evaluate(document, scope)), result: () => inner.result() };
    };
  };
}

const sum = over(() => {
  const total = new Sum();
  return { add: (value) => total.add(value), result: () => total.result() };
});

const average = over(() => {
  const total = new Sum();
  return { add: (value) => total.add(value), result: () => total.average() };
});

/** $min and $max: null and missing are ignored. */
const extreme = (sign: 1 | -1): CompileAccumulator =>
  over((collation) => {
    let best: Value;
    return {
      add(value) {
        if (isNullish(value)) return;
        if (best === undefined || compareValues(value, best, collation) * sign > 0) best = value;
      },
      result: () => best ?? null,
    };
  });

const first = over(() => {
  let isSet = false;
  let kept: Value = null;
  return {
    add(value) {
      if (!isSet) kept = value ?? null;
      isSet = true;
    },
    result: () => kept,
  };
});

const last = over(() => {
  let kept: Value = null;
  return {
    add(value) {
      kept = value ?? null;
    },
    result: () => kept,
  };
});

const push = over((_collation, hold) => {
  const values: Value[] = [];
  return {
    add(value) {
      if (value === undefined) return;
      hold(value);
      values.push(value);
    },
    result: () => values,
  };
});

const addToSet = over((collation, hold) => {
  const seen = new ValueSet([], collation);
  const values: Value[] = [];
  return {
    add(value) {
      if (value === undefined || !seen.add(value)) return;
      hold(value);
      values.push(value);
    },
    result: () => values,
  };
});

const mergeObjects = over(() => {
  const merged = newDocument();
  return {
    add(value) {
      if (isNullish(value)) return;
      if (!isDocument(value)) throw new MongoError(40400, '$mergeObjects requires object inputs');
      for (const name of fieldNames(value)) setField(merged, name, value[name]);
    },
    result: () => copyDocument(merged),
  };
});

/** Welford's method, which stays exact if values are large and close together. */
const deviation = (isSample: boolean): CompileAccumulator =>
  over(() => {
    let count = 0;
    let mean = 0;
    let squares = 0;
    return {
      add(value) {
        if (!isNumber(value)) return;
        const number = toDouble(value);
        const before = number - mean;
        count++;
        mean += before / count;
        squares += before * (number - mean);
      },
      result() {
        const divisor = isSample ? count - 1 : count;
        return divisor <= 0 ? null : new Double(Math.sqrt(squares / divisor));
      },
    };
  });

const count: CompileAccumulator = (operand) => {
  if (!isDocument(operand) || fieldNames(operand).length > 0) {
    throw new MongoError('TypeMismatch', '$count takes no arguments, i.e. $count:{}');
  }
  return () => {
    const total = new Sum();
    const one = new Int32(1);
    return { add: () => total.add(one), result: () => total.result() };
  };
};

/** $firstN, $lastN, $minN and $maxN. */
const several = (
  choose: (values: Value[], n: number, collation: Collation | undefined) => Value[],
): CompileAccumulator => {
  return (operand, context, collation, name) => {
    const { input, n } = namedOperand(operand, ['input', 'n'], [], name);
    const evaluate = context.compile(input);
    const evaluateN = context.compile(n);
    return (hold) => {
      const values: Value[] = [];
      let wanted = 0;
      return {
        add(document, scope) {
          wanted ||= positiveInteger(evaluateN(document, scope), name);
          const value = evaluate(document, scope) ?? null;
          hold(value);
          values.push(value);
        },
        result: () => choose(values, wanted, collation),
      };
    };
  };
};

function positiveInteger(value: Value, name: string): number {
  const whole = isNumber(value) ? integral(value) : undefined;
  if (whole === undefined) throw new MongoError(5787902, `Value for 'n' must be of integral type in ${name}`);
  if (whole <= 0n) throw new MongoError(5787908, `'n' must be greater than 0, found ${whole} in ${name}`);
  return Number(whole);
}

/** The n greatest or least values, without null and missing. */
export function extremes(values: Value[], n: number, sign: 1 | -1, collation?: Collation): Value[] {
  const kept = values.filter((value) => !isNullish(value));
  return kept.sort((a, b) => compareValues(a, b, collation) * sign).slice(0, n);
}

/** $top, $bottom, $topN and $bottomN: outputs of the documents that sort first or last. */
const ranked = (end: 'top' | 'bottom', isSingle: boolean): CompileAccumulator => {
  return (operand, context, collation, name) => {
    const spec = namedOperand(operand, isSingle ? ['sortBy', 'output'] : ['sortBy', 'output', 'n'], [], name);
    if (!isDocument(spec.sortBy)) throw new MongoError(10065, `expected 'sortBy' to be an object in ${name}`);
    const compare = compileSort(parseSort(spec.sortBy), collation);
    const output = context.compile(spec.output);
    const evaluateN: Evaluate = isSingle ? () => 1 : context.compile(spec.n);
    return (hold) => {
      const entries: { document: Document; value: Value }[] = [];
      let wanted = 0;
      return {
        add(document, scope) {
          wanted ||= positiveInteger(evaluateN(document, scope), name);
          hold(document);
          entries.push({ document, value: output(document, scope) ?? null });
        },
        result() {
          const values = entries.sort((a, b) => compare(a.document, b.document)).map(({ value }) => value);
          const chosen = end === 'top' ? values.slice(0, wanted) : values.slice(-wanted);
          return isSingle ? (chosen[0] ?? null) : chosen;
        },
      };
    };
  };
};

const accumulators: Record<string, CompileAccumulator> = {
  $sum: sum,
  $avg: average,
  $min: extreme(-1),
  $max: extreme(1),
  $first: first,
  $last: last,
  $push: push,
  $addToSet: addToSet,
  $mergeObjects: mergeObjects,
  $stdDevPop: deviation(false),
  $stdDevSamp: deviation(true),
  $count: count,
  $firstN: several((values, n) => values.slice(0, n)),
  $lastN: several((values, n) => values.slice(-n)),
  $minN: several((values, n, collation) => extremes(values, n, 1, collation)),
  $maxN: several((values, n, collation) => extremes(values, n, -1, collation)),
  $top: ranked('top', true),
  $bottom: ranked('bottom', true),
  $topN: ranked('top', false),
  $bottomN: ranked('bottom', false),
};

/** @throws 15952 for an unknown accumulator */
export function accumulatorNamed(name: string): CompileAccumulator {
  const accumulator = Object.hasOwn(accumulators, name) ? accumulators[name] : undefined;
  if (!accumulator) throw new MongoError(15952, `unknown group operator '${name}'`);
  return accumulator;
}
