import type { Collation } from '../bson/collation';
import { compareValues, equalValues, regExpParts } from '../bson/compare';
import { fieldNames, hasField } from '../bson/document';
import { identicalValues } from '../bson/identical';
import { integral, toDouble } from '../bson/number';
import { typeNameOf } from '../bson/type-code';
import { type Document, isDocument, isNumber, Rank, rankOf, type Value } from '../bson/value';
import { ValueSet } from '../bson/value-set';
import { MongoError } from '../errors';
import { compileRegularExpression } from '../language/regular-expression';
import { compileSort, parseSort } from '../language/sort';
import { compileFilter } from '../query/compile-filter';
import { parseFilter } from '../query/parse-filter';
import { isOperatorDocument } from '../query/parse-operators';
import { display, unchanged } from './draft';
import type { CompileModifier } from './modifier';

const bad = (message: string): MongoError => new MongoError('BadValue', message);

interface PushClauses {
  elements: Value[];
  position: number | undefined;
  slice: number | undefined;
  sort: ((a: Value, b: Value) => number) | undefined;
}

const push: CompileModifier = ({ dotted }, operand, { collation }) => {
  const { elements, position, slice, sort } = parsePush(operand, collation);
  return {
    creates: true,
    change: (id) => (current) => {
      if (current !== undefined && !Array.isArray(current)) throw notArray(dotted, current, id);
      const before = current ?? [];
      const at = position === undefined ? before.length : insertionIndex(position, before.length);
      const after = [...before.slice(0, at), ...elements, ...before.slice(at)];
      if (sort) after.sort(sort);
      const kept = slice === undefined ? after : sliced(after, slice);
      return current !== undefined && identicalValues(before, kept) ? unchanged : kept;
    },
  };
};

function notArray(dotted: string, current: Value, id: Value): MongoError {
  const name = dotted.split('.').at(-1);
  return bad(
    `The field '${name}' must be an array but is of type ${typeNameOf(current)} in document {_id: ${display(id)}}`,
  );
}

function insertionIndex(position: number, length: number): number {
  return position < 0 ? Math.max(0, length + position) : Math.min(position, length);
}

function sliced(elements: Value[], slice: number): Value[] {
  if (slice === 0) return [];
  return slice < 0 ? elements.slice(slice) : elements.slice(0, slice);
}

function parsePush(operand: Value, collation: Collation | undefined): PushClauses {
  if (!isDocument(operand) || !hasField(operand, '$each')) {
    return { elements: [operand ?? null], position: undefined, slice: undefined, sort: undefined };
  }
  const unknown = fieldNames(operand).find((name) => !['$each', '$position', '$slice', '$sort'].includes(name));
  if (unknown) throw bad(`Unrecognized clause in $push: ${unknown}`);
  return {
    elements: eachOf(operand, '$push'),
    position: wholeNumber(operand.$position, '$position'),
    slice: wholeNumber(operand.$slice, '$slice'),
    sort: hasField(operand, '$sort') ? elementOrder(operand.$sort, collation) : undefined,
  };
}

function eachOf(operand: Document, operator: string): Value[] {
  const each = operand.$each;
  if (Array.isArray(each)) return each;
  const type = typeNameOf(each);
  if (operator === '$push') throw bad(`The argument to $each in $push must be an array but it was of type: ${type}`);
  throw new MongoError(
    'TypeMismatch',
    `The argument to $each in $addToSet must be an array but it was of type ${type}`,
  );
}

function wholeNumber(value: Value, clause: string): number | undefined {
  if (value === undefined) return undefined;
  const whole = isNumber(value) ? integral(value) : undefined;
  if (whole === undefined) {
    throw bad(`The value for ${clause} must be an integer value but was given type: ${typeNameOf(value)}`);
  }
  return Number(whole);
}

/** $sort of $push: by the elements themselves (1, -1) or by their fields. */
function elementOrder(sort: Value, collation: Collation | undefined): (a: Value, b: Value) => number {
  if (isNumber(sort)) {
    const direction = toDouble(sort);
    if (direction !== 1 && direction !== -1) throw bad('The $sort element value must be either 1 or -1');
    return (a, b) => compareValues(a, b, collation) * direction;
  }
  if (!isDocument(sort))
    throw bad('The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort embedded fields');
  if (fieldNames(sort).length === 0) throw bad('The $sort pattern is empty when it should be a set of fields.');
  const compare = compileSort(parseSort(sort), collation);
  const asDocument = (value: Value): Document => (isDocument(value) ? value : {});
  return (a, b) => compare(asDocument(a), asDocument(b));
}

const addToSet: CompileModifier = ({ dotted }, operand, { collation }) => {
  const hasEach = isDocument(operand) && fieldNames(operand)[0] === '$each';
  const elements = hasEach ? eachOf(operand, '$addToSet') : [operand ?? null];
  if (hasEach && fieldNames(operand).length > 1) {
    throw bad(`Found unexpected fields after $each in $addToSet: ${display(operand)}`);
  }
  return {
    creates: true,
    change: () => (current) => {
      if (current !== undefined && !Array.isArray(current)) {
        const name = dotted.split('.').at(-1);
        throw bad(
          `Cannot apply $addToSet to non-array field. Field named '${name}' has non-array type ${typeNameOf(current)}`,
        );
      }
      const seen = new ValueSet(current ?? [], collation);
      const added = elements.filter((element) => seen.add(element));
      return added.length === 0 && current !== undefined ? unchanged : [...(current ?? []), ...added];
    },
  };
};

const pop: CompileModifier = ({ dotted }, operand) => {
  const end = isNumber(operand) ? toDouble(operand) : Number.NaN;
  if (!isNumber(operand)) {
    throw new MongoError('FailedToParse', `Expected a number in: ${dotted}: ${display(operand)}`);
  }
  if (end !== 1 && end !== -1)
    throw new MongoError('FailedToParse', `$pop expects 1 or -1, found: ${display(operand)}`);
  return {
    creates: false,
    change: () => (current) => {
      if (current === undefined) return unchanged;
      if (!Array.isArray(current)) {
        throw new MongoError(
          'TypeMismatch',
          `Path '${dotted}' contains an element of non-array type '${typeNameOf(current)}'`,
        );
      }
      if (current.length === 0) return unchanged;
      return end === 1 ? current.slice(0, -1) : current.slice(1);
    },
  };
};

type ElementTest = (element: Value) => boolean;

function removing(matches: ElementTest): ReturnType<CompileModifier> {
  return {
    creates: false,
    change: () => (current) => {
      if (current === undefined) return unchanged;
      if (!Array.isArray(current)) throw bad('Cannot apply $pull to a non-array value');
      const kept = current.filter((element) => !matches(element));
      return kept.length === current.length ? unchanged : kept;
    },
  };
}

const pull: CompileModifier = (_path, operand, { collation }) => removing(pullTest(operand ?? null, collation));

/** The elements that $pull removes: those that satisfy operators, documents that match a filter, or equal values. */
function pullTest(operand: Value, collation: Collation | undefined): ElementTest {
  if (rankOf(operand) === Rank.RegExp) {
    const { pattern, options } = regExpParts(operand as RegExp);
    const expression = compileRegularExpression(pattern, options);
    return (element) => (typeof element === 'string' ? expression.test(element) : equalValues(element, operand));
  }
  if (!isDocument(operand)) return (element) => equalValues(element, operand, collation);
  if (isOperatorDocument(operand) && !/^\$(and|or|nor|expr)$/.test(fieldNames(operand)[0] as string)) {
    // Like $elemMatch: an element that is an array counts as a whole.
    const matcher = compileFilter(parseFilter({ elements: { $elemMatch: operand } }), { collation });
    return (element) => matcher.matches({ elements: [element] });
  }
  const matcher = compileFilter(parseFilter(operand), { collation });
  return (element) => isDocument(element) && matcher.matches(element);
}

const pullAll: CompileModifier = (_path, operand, { collation }) => {
  if (!Array.isArray(operand)) {
    throw bad(`$pullAll requires an array argument but was given a ${typeNameOf(operand)}`);
  }
  const removed = new ValueSet(operand, collation);
  return removing((element) => removed.has(element));
};

export const arrayModifiers: Record<string, CompileModifier> = {
  $push: push,
  $addToSet: addToSet,
  $pop: pop,
  $pull: pull,
  $pullAll: pullAll,
};
