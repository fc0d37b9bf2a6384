import { isDocument, type Value } from '../bson/value';

/** Whether a value satisfies a condition; undefined means a missing field. */
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
 * Where in the outermost array the last successful test was met: what `$` in updates stands for.
 * One variable instead of a result object, because matching is the innermost loop of every scan.
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
 * Whether any of the values that a path reaches passes the test. Arrays on the way are walked through, and a numeric
 * part also means an index; at the end an array's elements are tried and then the array itself.
 * @param expandsLeaf false for what asks about the array as a whole ($size, $elemMatch)
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
  // An element named by its index is taken as a whole, even when it is an array itself.
  if (next === path.parts.length) return test(element);
  if (Array.isArray(element)) return anyWithin(element, path, next, test, expandsLeaf);
  return isDocument(element) && anyFrom(element, path, next, test, expandsLeaf);
}
