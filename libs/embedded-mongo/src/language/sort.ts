import type { Collation } from '../bson/collation';
import { compareValues } from '../bson/compare';
import { fieldNames } from '../bson/document';
import { type BsonNumber, toDouble } from '../bson/number';
import { type Document, isDocument, isNumber, type Value } from '../bson/value';
import { MongoError } from '../errors';
import { type Path, parsePath } from './visit-path';

/** One key of a sort, in order of weight. */
export interface SortKey {
  path: string;
  direction: 1 | -1;
}

export type Comparator = (a: Document, b: Document) => number;

/**
 * Reads and checks a sort document.
 * @throws BadValue (2) for directions other than 1 and -1; CommandNotSupported for `$meta` and `$natural` with others
 */
export function parseSort(sort: Document): SortKey[] {
  const names = fieldNames(sort);
  if (names.length > 32) throw new MongoError(13103, 'too many compound keys');
  return names.map((path) => ({ path: checkedPath(path), direction: parseDirection(sort[path]) }));
}

function checkedPath(path: string): string {
  if (path === '' || path.split('.').includes('')) {
    throw new MongoError(15998, 'FieldPath field names may not be empty strings.');
  }
  const dollar = path.split('.').find((part) => part.startsWith('$') && !['$id', '$ref', '$db'].includes(part));
  if (dollar) throw new MongoError(16410, `FieldPath field names may not start with '$': '${path}'.`);
  return path;
}

function parseDirection(value: Value): 1 | -1 {
  if (isDocument(value)) throw new MongoError('CommandNotSupported', 'sorting by $meta is not supported');
  const direction = isNumber(value) ? toDouble(value as BsonNumber) : Number.NaN;
  if (direction !== 1 && direction !== -1) {
    throw new MongoError(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
  }
  return direction;
}

/**
 * Compares documents by sort keys. An array counts as its least element ascending and its greatest descending;
 * missing values and an empty array count as null.
 */
export function compileSort(keys: readonly SortKey[], collation?: Collation): Comparator {
  const parts = keys.map(({ path, direction }) => ({ read: sortValueReader(path, direction, collation), direction }));
  return (a, b) => {
    for (const { read, direction } of parts) {
      const order = compareValues(read(a), read(b), collation);
      if (order !== 0) return order * direction;
    }
    return 0;
  };
}

/** Compares values of documents, one for each key. */
export function compileValueOrder(
  keys: readonly SortKey[],
  collation?: Collation,
): (a: readonly Value[], b: readonly Value[]) => number {
  return (a, b) => {
    for (let key = 0; key < keys.length; key++) {
      const order = compareValues(a[key], b[key], collation);
      if (order !== 0) return order * keys[key]!.direction;
    }
    return 0;
  };
}

/** Reads the value that a document sorts by. */
export function sortValueReader(path: string, direction: 1 | -1, collation?: Collation): (document: Document) => Value {
  const parsed = parsePath(path);
  const [name] = parsed.parts as [string];
  const isPlain = parsed.parts.length === 1;
  return (document) => {
    const value = isPlain ? document[name] : undefined;
    if (isPlain && !Array.isArray(value)) return value ?? null;
    return extreme(sortValues(document, parsed), direction, collation);
  };
}

function extreme(values: Value[], direction: 1 | -1, collation: Collation | undefined): Value {
  let best = values[0] ?? null;
  for (let index = 1; index < values.length; index++) {
    const value = values[index] ?? null;
    if (compareValues(value, best, collation) * direction < 0) best = value;
  }
  return best;
}

/** The values of the path in an index: array elements one by one, undefined as null. */
export function sortValues(document: Value, path: Path): Value[] {
  const values: Value[] = [];
  collect(document, path, 0, values);
  return values;
}

function collect(value: Value, path: Path, index: number, values: Value[]): void {
  if (index < path.parts.length) {
    if (Array.isArray(value)) collectWithin(value, path, index, values);
    else collect(isDocument(value) ? value[path.parts[index] as string] : undefined, path, index + 1, values);
  } else if (Array.isArray(value) && value.length > 0) {
    for (const element of value) values.push(element);
  } else {
    values.push(Array.isArray(value) ? null : (value ?? null));
  }
}

function collectWithin(array: Value[], path: Path, index: number, values: Value[]): void {
  const named = path.indexes[index] as number;
  if (named >= 0 && named < array.length) {
    collect(array[named], path, index + 1, values);
    return;
  }
  if (array.length === 0) values.push(null);
  for (const element of array) collect(isDocument(element) ? element : undefined, path, index, values);
}
