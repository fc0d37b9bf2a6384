import { fieldNames } from '../bson/document';
import { integral } from '../bson/number';
import { type Document, isDocument, isNumber, type Value } from '../bson/value';
import { MongoError } from '../errors';
import { rootScope } from '../expression/expression';
import { compileFilter, type FilterOptions } from './compile-filter';
import { parseFilter } from './parse-filter';
import {
  neededFields,
  parseProjectionTree,
  projectDocument,
  type TransformReader,
  type WholeFields,
  wholeFields,
} from './projection-tree';

/** A compiled projection of find and findAndModify. */
export interface Projection {
  /** Whether it has the positional `$`, so that `apply` needs the position the filter matched. */
  needsPosition: boolean;
  /** The only top-level fields it reads, for `decodeFields`; undefined if it may read any. */
  neededFields: ReadonlySet<string> | undefined;
  /** Set if it only includes or excludes whole top-level fields, which needs no decoding: see `fieldCopier`. */
  wholeFields: WholeFields | undefined;
  /** @throws 51246 if `$` has no position */
  apply(document: Document, position?: number): Document;
}

/**
 * Compiles a projection.
 * @returns undefined for an empty one, which changes nothing
 */
export function compileProjection(spec: Document, options: FilterOptions = {}): Projection | undefined {
  if (fieldNames(spec).length === 0) return undefined;
  const positional = fieldNames(spec).filter((name) => name.endsWith('.$'));
  if (positional.length > 1) {
    throw new MongoError(31276, 'Cannot specify more than one positional projection per query.');
  }
  if (positional.length > 0 && fieldNames(spec).some((name) => operatorOf(spec[name]) === '$elemMatch')) {
    throw new MongoError(31255, 'Cannot specify positional operator and $elemMatch.');
  }
  const tree = parseProjectionTree(spec, Object.keys(options.variables ?? {}), transformReader(options));
  const scope = rootScope(options);
  return {
    needsPosition: positional.length > 0,
    neededFields: neededFields(tree),
    wholeFields: wholeFields(tree),
    apply: (document, position) => projectDocument(tree, document, scope, position),
  };
}

function operatorOf(operand: Value): string | undefined {
  return isDocument(operand) ? fieldNames(operand)[0] : undefined;
}

const transformReader =
  (options: FilterOptions): TransformReader =>
  (path, operand) => {
    if (path.endsWith('.$')) return { path: path.slice(0, -2), transform: elementAt, keeps: true };
    const operator = operatorOf(operand);
    if (operator === '$elemMatch') {
      if (path.includes('.')) throw new MongoError(31275, 'Cannot use $elemMatch projection on a nested field.');
      return { path, transform: firstMatch((operand as Document).$elemMatch, options), keeps: true };
    }
    if (operator === '$slice') return readSlice(path, (operand as Document).$slice);
    if (operator === '$meta') throw new MongoError('CommandNotSupported', '$meta is not supported');
    return undefined;
  };

function elementAt(value: Value, position: number | undefined): Value {
  if (!Array.isArray(value)) return value;
  if (position === undefined || position >= value.length) {
    throw new MongoError(
      51246,
      "Executor error during find command :: caused by :: positional operator '.$' couldn't find a matching element in the array",
    );
  }
  return [value[position]];
}

function firstMatch(condition: Value, options: FilterOptions): (value: Value) => Value {
  if (!isDocument(condition)) {
    throw new MongoError(31274, `elemMatch: Invalid argument, object required, but got ${typeof condition}`);
  }
  const matcher = compileFilter(parseFilter({ array: { $elemMatch: condition } }), options);
  return (value) => {
    if (!Array.isArray(value)) return undefined;
    const position = matcher.matchedPosition({ array: value });
    return position === undefined ? undefined : [value[position]];
  };
}

/** `$slice: n` and `$slice: [skip, n]`; other operands are those of the expression of the same name. */
function readSlice(path: string, operand: Value): ReturnType<TransformReader> {
  const numbers = (Array.isArray(operand) ? operand : [operand]).map((number) => sliceNumber(number));
  if (numbers.some((number) => number === undefined)) {
    if (Array.isArray(operand) && operand.length > 0) return undefined;
    throw new MongoError(28667, 'Invalid $slice syntax. The given syntax did not match the find() syntax');
  }
  const [first, count] = numbers as number[];
  if (count === undefined)
    return { path, keeps: false, transform: (value) => slice(value, first as number, undefined) };
  if (count <= 0) throw new MongoError(28724, `First argument to $slice must be a positive number, but is ${count}`);
  return { path, keeps: false, transform: (value) => slice(value, first as number, count) };
}

function sliceNumber(value: Value): number | undefined {
  const whole = isNumber(value) ? integral(value) : undefined;
  return whole === undefined ? undefined : Number(whole);
}

function slice(value: Value, first: number, count: number | undefined): Value {
  if (!Array.isArray(value)) return value;
  if (count === undefined) return first < 0 ? value.slice(first) : value.slice(0, first);
  const start = first < 0 ? Math.max(0, value.length + first) : first;
  return value.slice(start, start + count);
}
