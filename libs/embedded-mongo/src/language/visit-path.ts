import { isDocument, type Value } from '../bson/value';

/** Whether a value satisfies a condition; undefined is a missing field. */
export type Test = (value: Value) => boolean;

export interface Path {
  parts: string[];
  /** The array index each part may also mean, or -1. */
  indexes: number[];
}

export function parsePath(path: string): Path {
  const parts = path === '' ? [] : path.split('.');
  return { parts, indexes: parts.map((part) => (/^(0|[1-9]\d{0,9})$/.test(part) ? Number(part) : -1)) };
}

/**
 * The position in the outermost array of the last successful test: the `$` of updates. One variable instead of a
 * result object, because matching is the innermost loop of every scan.
 */
let offset: number | undefined;

export function takeOffset(): number | undefined {
  const taken = offset;
  offset = undefined;
  return taken;
}

export function restoreOffset(saved: number | undefined): void {
  offset = saved;
}

export function currentOffset(): number | undefined {
  return offset;
}

export function recordOffset(index: number): void {
  offset = index;
}

/**
 * Whether any value at a path passes the test. Arrays on the path are traversed, and a numeric part is also an index;
 * at the end an array's elements are tested and then the array itself.
 * @param expandsLeaf false for tests of the array as a whole ($size, $elemMatch)
 */
export function anyAtPath(root: Value, path: Path, test: Test, expandsLeaf: boolean): boolean {
  return anyFrom(root, path, 0, test, expandsLeaf);
}

function anyFrom(from: Value, path: Path, start: number, test: Test, expandsLeaf: boolean): boolean {
  let value = from;
  for (let index = start; index < path.parts.length; index++) {
    if (Array.isArray(value)) return anyWithin(value, path, index, test, expandsLeaf);
    if (!isDocument(value)) return test(undefined);
    value = value[path.parts[index] as string];
  }
  if (!expandsLeaf || !Array.isArray(value)) return test(value);
  for (let index = 0; index < value.length; index++) {
    if (test(value[index] ?? null)) {
      offset = index;
      return true;
    }
  }
  return test(value);
}

/** A path that continues inside an array: into each document, and into the element whose index the part names. */
function anyWithin(array: Value[], path: Path, index: number, test: Test, expandsLeaf: boolean): boolean {
  const named = path.indexes[index] as number;
  for (let position = 0; position < array.length; position++) {
    const element = array[position];
    if (isDocument(element) && anyFrom(element, path, index, test, expandsLeaf)) {
      offset = position;
      return true;
    }
    if (position === named && anyAtIndex(element, path, index + 1, test, expandsLeaf)) return true;
  }
  return false;
}

function anyAtIndex(element: Value, path: Path, next: number, test: Test, expandsLeaf: boolean): boolean {
  // An element selected by its index is tested as a whole, even if it is an array.
  if (next === path.parts.length) return test(element);
  if (Array.isArray(element)) return anyWithin(element, path, next, test, expandsLeaf);
  return isDocument(element) && anyFrom(element, path, next, test, expandsLeaf);
}
