import type { Value } from '../bson/value';
import { MongoError } from '../errors';
import type { ArrayFilters } from './array-filters';
import { type Draft, display } from './draft';
import { identifierOf, type UpdatePath } from './update-path';

/**
 * The plain paths of a path with positional parts in a document.
 * @param position of `$`
 * @throws BadValue (2) if `$` has no position, or `$[]` is not on an array
 */
export function expandPath(
  path: UpdatePath,
  draft: Draft,
  position: number | undefined,
  arrayFilters: ArrayFilters,
): string[][] {
  if (!path.isDynamic) return [path.parts];
  let paths: string[][] = [[]];
  for (const part of path.parts) {
    paths = paths.flatMap((beginning) =>
      partsFor(part, beginning, draft, position, arrayFilters).map((next) => [...beginning, next]),
    );
  }
  return paths;
}

function partsFor(
  part: string,
  beginning: string[],
  draft: Draft,
  position: number | undefined,
  arrayFilters: ArrayFilters,
): string[] {
  if (part === '$') {
    if (position !== undefined) return [String(position)];
    throw new MongoError('BadValue', 'The positional operator did not find the match needed from the query.');
  }
  const identifier = identifierOf(part);
  if (identifier === undefined) return [part];
  const array = arrayAt(beginning, draft);
  const test = identifier === '' ? () => true : arrayFilters.get(identifier);
  return [...array.keys()].filter((index) => test?.(array[index] ?? null)).map(String);
}

function arrayAt(parts: string[], draft: Draft): Value[] {
  const value = draft.read(parts);
  if (Array.isArray(value)) return value;
  const path = parts.join('.');
  if (value === undefined) {
    throw new MongoError('BadValue', `The path '${path}' must exist in the document in order to apply array updates.`);
  }
  throw new MongoError(
    'BadValue',
    `Cannot apply array updates to non-array element ${parts.at(-1)}: ${display(value)}`,
  );
}
