import { Int32 } from 'bson';
import { compareValues } from '../../bson/compare';
import { fieldNames, newDocument, setField } from '../../bson/document';
import { integral, toDouble } from '../../bson/number';
import { isTruthy } from '../../bson/truth';
import { typeNameOf } from '../../bson/type-code';
import { isDocument, isNumber, type Value } from '../../bson/value';
import { ValueSet } from '../../bson/value-set';
import { MongoError } from '../../errors';
import { compileSort, parseSort } from '../../language/sort';
import { extremes } from '../terms/accumulators';
import { isNullish, named, namedOperand, positional, variadic } from '../terms/arguments';
import type { CompileOperator, Evaluate } from '../terms/operator';
import { compareOperands } from './logic';

function arrayOf(value: Value, name: string, code = 28667): Value[] {
  if (Array.isArray(value)) return value;
  throw new MongoError(code, `${name}'s argument must be an array, but is ${typeNameOf(value)}`);
}

function integerOf(value: Value, name: string, code: number): number {
  const whole = isNumber(value) ? integral(value) : undefined;
  if (whole === undefined) throw new MongoError(code, `${name} requires an integral value, not ${typeNameOf(value)}`);
  return Number(whole);
}

const elementAt = (name: string, array: Value, index: Value): Value => {
  if (isNullish(array) || isNullish(index)) return null;
  const elements = arrayOf(array, name, 28689);
  const at = integerOf(index, name, 28690);
  return elements[at < 0 ? elements.length + at : at];
};

const slice = positional(2, 3, (array, first, count) => {
  if (isNullish(array) || isNullish(first) || count === null) return null;
  const elements = arrayOf(array, '$slice', 28724);
  const start = integerOf(first, '$slice', 28725);
  if (count === undefined) return start < 0 ? elements.slice(start) : elements.slice(0, start);
  const most = integerOf(count, '$slice', 28727);
  if (most <= 0) throw new MongoError(28729, `Third argument to $slice must be positive: ${most}`);
  const from = start < 0 ? Math.max(0, elements.length + start) : start;
  return elements.slice(from, from + most);
});

/** $filter and $map: compute an expression for each element with a variable. */
function elementwise(
  operand: Value,
  context: Parameters<CompileOperator>[1],
  name: string,
  body: string,
  optional: string[] = [],
): { input: Evaluate; as: string; compute: Evaluate; spec: ReturnType<typeof namedOperand> } {
  const spec = namedOperand(operand, ['input', body], ['as', ...optional], name);
  const as = spec.as === undefined ? 'this' : variableName(spec.as);
  return { spec, as, input: context.compile(spec.input), compute: context.declaring([as]).compile(spec[body]) };
}

function variableName(value: Value): string {
  if (typeof value === 'string' && /^[a-z\u0080-\uffff][\w\u0080-\uffff]*$/.test(value)) return value;
  if (value === 'CURRENT') return value;
  throw new MongoError('FailedToParse', `'${String(value)}' starts with an invalid character for a user variable name`);
}

const filter: CompileOperator = (operand, context, name) => {
  const { spec, as, input, compute } = elementwise(operand, context, name, 'cond', ['limit']);
  const limit = spec.limit === undefined ? undefined : context.compile(spec.limit);
  return (root, scope) => {
    const array = input(root, scope);
    if (isNullish(array)) return null;
    const most = limit?.(root, scope);
    const count = isNullish(most) ? Number.POSITIVE_INFINITY : integerOf(most, '$filter', 327391);
    const kept: Value[] = [];
    for (const element of arrayOf(array, '$filter', 28651)) {
      if (kept.length >= count) break;
      if (isTruthy(compute(root, { ...scope, [as]: element }))) kept.push(element);
    }
    return kept;
  };
};

const map: CompileOperator = (operand, context, name) => {
  const { as, input, compute } = elementwise(operand, context, name, 'in');
  return (root, scope) => {
    const array = input(root, scope);
    if (isNullish(array)) return null;
    return arrayOf(array, '$map', 16883).map((element) => compute(root, { ...scope, [as]: element }) ?? null);
  };
};

const reduce: CompileOperator = (operand, context, name) => {
  const spec = namedOperand(operand, ['input', 'initialValue', 'in'], [], name);
  const input = context.compile(spec.input);
  const initial = context.compile(spec.initialValue);
  const step = context.declaring(['this', 'value']).compile(spec.in);
  return (root, scope) => {
    const array = input(root, scope);
    if (isNullish(array)) return null;
    return arrayOf(array, '$reduce', 40080).reduce<Value>(
      (value, element) => step(root, { ...scope, this: element, value }),
      initial(root, scope),
    );
  };
};

const letIn: CompileOperator = (operand, context, name) => {
  const spec = namedOperand(operand, ['vars', 'in'], [], name);
  if (!isDocument(spec.vars)) throw new MongoError(16876, 'invalid parameter: expected an object (vars)');
  const { vars } = spec;
  const variables = fieldNames(vars).map((key) => ({ key: variableName(key), compute: context.compile(vars[key]) }));
  const body = context.declaring(variables.map(({ key }) => key)).compile(spec.in);
  return (root, scope) => {
    const inner: Record<string, Value> = { ...scope };
    for (const { key, compute } of variables) inner[key] = compute(root, scope);
    return body(root, inner);
  };
};

const indexOf = positional(2, 4, (array, wanted, start, end) => {
  if (isNullish(array)) return null;
  const elements = arrayOf(array, '$indexOfArray', 40090);
  const from = start === undefined ? 0 : integerOf(start, '$indexOfArray', 40096);
  const to = end === undefined ? elements.length : Math.min(elements.length, integerOf(end, '$indexOfArray', 40096));
  for (let index = from; index < to; index++)
    if (compareOperands(elements[index], wanted) === 0) return new Int32(index);
  return new Int32(-1);
});

const range = positional(2, 3, (start, end, step = new Int32(1)) => {
  const [from, to, by] = [start, end, step].map((value) => integerOf(value, '$range', 34444)) as [
    number,
    number,
    number,
  ];
  if (by === 0) throw new MongoError(34449, '$range requires a non-zero step value');
  const count = Math.max(0, Math.ceil((to - from) / by));
  if (count > 1_000_000) throw new MongoError(292, '$range would make too large an array');
  return Array.from({ length: count }, (_, index) => new Int32(from + index * by));
});

const zip = named(['inputs'], ['useLongestLength', 'defaults'], ({ inputs, useLongestLength, defaults }) => {
  const arrays = arrayOf(inputs, '$zip', 34461);
  if (arrays.some(isNullish)) return null;
  const lists = arrays.map((array) => arrayOf(array, '$zip', 34468));
  const lengths = lists.map((list) => list.length);
  const length = useLongestLength === true ? Math.max(0, ...lengths) : Math.min(...lengths);
  return Array.from({ length }, (_, at) =>
    lists.map((list, which) => list[at] ?? (Array.isArray(defaults) ? (defaults[which] ?? null) : null)),
  );
});

const arrayToObject = positional(1, 1, (array) => {
  if (isNullish(array)) return null;
  const result = newDocument();
  for (const entry of arrayOf(array, '$arrayToObject', 40386)) {
    const [key, value] = Array.isArray(entry) ? entry : isDocument(entry) ? [entry.k, entry.v] : [];
    if (typeof key !== 'string') throw new MongoError(40394, '$arrayToObject requires keys of type string');
    setField(result, key, value ?? null);
  }
  return result;
});

const sortArray: CompileOperator = (operand, context, name) => {
  const spec = namedOperand(operand, ['input', 'sortBy'], [], name);
  const input = context.compile(spec.input);
  const compare = elementOrder(spec.sortBy);
  return (root, scope) => {
    const array = input(root, scope);
    return isNullish(array) ? null : arrayOf(array, '$sortArray', 2942504).slice().sort(compare);
  };
};

function elementOrder(sortBy: Value): (a: Value, b: Value) => number {
  if (isNumber(sortBy) && Math.abs(toDouble(sortBy)) === 1) return (a, b) => compareValues(a, b) * toDouble(sortBy);
  if (!isDocument(sortBy)) throw new MongoError(2942507, 'The $sort element value must be either 1 or -1');
  const compare = compileSort(parseSort(sortBy));
  return (a, b) => compare(isDocument(a) ? a : {}, isDocument(b) ? b : {});
}

const several = (choose: (elements: Value[], n: number) => Value[]): CompileOperator =>
  named(['input', 'n'], [], ({ input, n }) => {
    if (isNullish(input)) throw new MongoError(5788200, 'Input must be an array');
    const count = integerOf(n, 'n', 5787902);
    if (count <= 0) throw new MongoError(5787908, `'n' must be greater than 0, found ${count}`);
    return choose(arrayOf(input, 'input', 5788200), count);
  });

/** Sets are arrays here; duplicates count once. */
function union(values: Value[]): Value[] {
  const seen = new ValueSet();
  return values.filter((value) => seen.add(value));
}

const setUnion = variadic((sets) =>
  sets.some(isNullish) ? null : union(sets.flatMap((set) => arrayOf(set, '$setUnion', 17043))),
);

const setIntersection = variadic((sets) => {
  if (sets.some(isNullish)) return null;
  const [first = [], ...others] = sets.map((set) => arrayOf(set, '$setIntersection', 17047));
  const lookups = others.map((other) => new ValueSet(other));
  return union(first).filter((value) => lookups.every((lookup) => lookup.has(value)));
});

const setEquals = variadic((sets) => {
  const [first = [], ...others] = sets.map((set) => arrayOf(set, '$setEquals', 17044));
  const size = union(first).length;
  return others.every((other) => union(other).length === size && isSubset(first, other));
});

function isSubset(inner: Value[], outer: Value[]): boolean {
  const lookup = new ValueSet(outer);
  return inner.every((value) => lookup.has(value));
}

export const arrayOperators: Record<string, CompileOperator> = {
  $arrayElemAt: positional(2, 2, (array, index) => elementAt('$arrayElemAt', array, index)),
  $first: positional(1, 1, (array) => elementAt('$first', array, 0)),
  $last: positional(1, 1, (array) => elementAt('$last', array, -1)),
  $size: positional(1, 1, (array) => {
    if (Array.isArray(array)) return new Int32(array.length);
    throw new MongoError(17124, `The argument to $size must be an array, but was of type: ${typeNameOf(array)}`);
  }),
  $slice: slice,
  $concatArrays: variadic((arrays) =>
    arrays.some(isNullish) ? null : arrays.flatMap((array) => arrayOf(array, '$concatArrays', 28664)),
  ),
  $filter: filter,
  $map: map,
  $reduce: reduce,
  $let: letIn,
  $in: positional(2, 2, (value, array) => {
    if (!Array.isArray(array))
      throw new MongoError(40081, `$in requires an array as a second argument, found: ${typeNameOf(array)}`);
    return array.some((element) => compareOperands(element, value) === 0);
  }),
  $indexOfArray: indexOf,
  $isArray: positional(1, 1, (value) => Array.isArray(value)),
  $range: range,
  $reverseArray: positional(1, 1, (array) =>
    isNullish(array) ? null : arrayOf(array, '$reverseArray', 34435).slice().reverse(),
  ),
  $zip: zip,
  $arrayToObject: arrayToObject,
  $sortArray: sortArray,
  $firstN: several((elements, n) => elements.slice(0, n)),
  $lastN: several((elements, n) => elements.slice(-n)),
  $minN: several((elements, n) => extremes(elements, n, 1)),
  $maxN: several((elements, n) => extremes(elements, n, -1)),
  $setUnion: setUnion,
  $setIntersection: setIntersection,
  $setDifference: positional(2, 2, (a, b) => {
    if (isNullish(a) || isNullish(b)) return null;
    const removed = new ValueSet(arrayOf(b, '$setDifference', 17049));
    return union(arrayOf(a, '$setDifference', 17048)).filter((value) => !removed.has(value));
  }),
  $setEquals: setEquals,
  $setIsSubset: positional(2, 2, (a, b) =>
    isSubset(arrayOf(a, '$setIsSubset', 17046), arrayOf(b, '$setIsSubset', 17042)),
  ),
  $anyElementTrue: positional(1, 1, (array) => arrayOf(array, '$anyElementTrue', 17041).some(isTruthy)),
  $allElementsTrue: positional(1, 1, (array) => arrayOf(array, '$allElementsTrue', 17040).every(isTruthy)),
};
