import { encodeKey } from '../bson/index-key';
import { type Document, isDocument, type Value } from '../bson/value';
import { MongoError } from '../errors';
import type { Index } from './index-spec';

/** The entries of one document in one index. */
export interface Entries {
  /** Encoded fields, each once. */
  keys: Buffer[];
  /** One flag per key field: an array lies on its path. */
  multikey: boolean[];
  truncated: boolean;
}

/** One key field on its way down a document. */
interface Cursor {
  value: Value;
  /** How many components of the path lie behind. */
  depth: number;
  isMissing: boolean;
}

/**
 * The entries of a document in an index: one, or one per element if an array is on the path.
 * @throws CannotIndexParallelArrays (171) if two fields of the index traverse different arrays
 */
export function entriesOf(index: Index, document: Document): Entries {
  const multikey = index.fields.map(() => false);
  const found: Cursor[][] = [];
  if (index.covers(document)) expand(index, startOf(index, document), multikey, found);
  const rows = index.isSparse ? found.filter((row) => row.some(({ isMissing }) => !isMissing)) : found;
  return encode(index, rows, multikey);
}

function startOf(index: Index, document: Document): Cursor[] {
  return index.paths.map(() => ({ value: document, depth: 0, isMissing: false }));
}

function encode(index: Index, rows: Cursor[][], multikey: boolean[]): Entries {
  const keys = new Map<string, Buffer>();
  let truncated = false;
  for (const row of rows) {
    const values = row.map(({ value }) => value);
    const key = encodeKey(values, index.directions, { collation: index.collation });
    truncated ||= key.truncated;
    if (rows.length === 1) return { keys: [key.bytes], multikey, truncated };
    keys.set(key.bytes.toString('latin1'), key.bytes);
  }
  return { keys: [...keys.values()], multikey, truncated };
}

/**
 * Follows all fields to their leaves. Fields in the same array iterate over its elements together, so that
 * {a: [{b: 1, c: 2}, {b: 3, c: 4}]} gives (1, 2) and (3, 4) for {'a.b': 1, 'a.c': 1}, not all four pairs.
 */
function expand(index: Index, cursors: Cursor[], multikey: boolean[], rows: Cursor[][]): void {
  const descended = cursors.map((cursor, field) => descend(cursor, index.paths[field]!));
  const array = pendingArray(index, descended);
  if (!array) {
    rows.push(descended);
    return;
  }
  const through = descended.map((cursor) => cursor.value === array);
  through.forEach((is, field) => {
    if (is) multikey[field] = true;
  });
  // An empty array has its own entry: it is neither missing (sparse) nor without an entry.
  const elements: Value[] = array.length > 0 ? array : [undefined];
  for (const element of elements) {
    const next = descended.map((cursor, field) =>
      through[field] ? into(cursor, element, index.paths[field]!) : cursor,
    );
    expand(index, next, multikey, rows);
  }
}

/** Follows documents by name, and arrays by position if the path contains a number; stops at other arrays. */
function descend(cursor: Cursor, path: string[]): Cursor {
  let { value, depth } = cursor;
  if (cursor.isMissing) return cursor;
  while (depth < path.length) {
    const name = path[depth]!;
    if (Array.isArray(value)) {
      if (!isPosition(name) || Number(name) >= value.length) return { value, depth, isMissing: false };
      value = value[Number(name)];
    } else if (isDocument(value) && Object.hasOwn(value, name)) value = value[name];
    else return { value: undefined, depth: path.length + 1, isMissing: true };
    depth++;
  }
  return { value, depth, isMissing: false };
}

const isPosition = (name: string): boolean => /^(0|[1-9]\d*)$/.test(name);

/** The array that fields wait at, if any; its elements are indexed. */
function pendingArray(index: Index, cursors: Cursor[]): Value[] | undefined {
  let array: Value[] | undefined;
  cursors.forEach(({ value, depth }, field) => {
    const isLeafDone = depth > index.paths[field]!.length;
    if (isLeafDone || !Array.isArray(value)) return;
    if (array !== undefined && array !== value) throw parallelArrays(index);
    array = value;
  });
  return array;
}

/** One element of an array. At the end of the path it is a leaf, also when it is an array itself. */
function into(cursor: Cursor, element: Value, path: string[]): Cursor {
  if (cursor.depth === path.length) return { value: element, depth: path.length + 1, isMissing: false };
  if (isDocument(element)) return { value: element, depth: cursor.depth, isMissing: false };
  return { value: undefined, depth: path.length + 1, isMissing: true };
}

function parallelArrays(index: Index): MongoError {
  return new MongoError('CannotIndexParallelArrays', `cannot index parallel arrays in index ${index.name}`);
}
