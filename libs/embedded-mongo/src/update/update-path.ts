import { MongoError } from '../errors';

/** A path an update names: field names, indexes, `$`, `$[]` and `$[identifier]`. */
export interface UpdatePath {
  dotted: string;
  parts: string[];
  /** Whether it has positional parts, so that its target depends on the document. */
  isDynamic: boolean;
}

const references = new Set(['$id', '$ref', '$db']);

/**
 * Reads and checks a path.
 * @throws EmptyFieldName (56), BadValue (2) for misplaced positional parts
 */
export function parseUpdatePath(dotted: string): UpdatePath {
  if (dotted === '') throw new MongoError('EmptyFieldName', 'An empty update path is not valid.');
  const parts = dotted.split('.');
  if (parts.includes('')) {
    throw new MongoError(
      'EmptyFieldName',
      `The update path '${dotted}' contains an empty field name, which is not allowed.`,
    );
  }
  if (isPositional(parts[0] as string)) {
    throw new MongoError(
      'BadValue',
      `Cannot have positional (i.e. '$') element in the first position in path '${dotted}'`,
    );
  }
  if (parts.filter((part) => part === '$').length > 1) {
    throw new MongoError('BadValue', `Too many positional (i.e. '$') elements found in path '${dotted}'`);
  }
  return { dotted, parts, isDynamic: parts.some(isPositional) };
}

/**
 * Refuses names with a dollar at the top level of an existing document: below, and in inserted documents, they are
 * ordinary fields since MongoDB 5.
 * @throws DollarPrefixedFieldName (52)
 */
export function refuseDollars(names: Iterable<string>): void {
  for (const name of names) {
    if (!name.startsWith('$') || references.has(name)) continue;
    throw new MongoError(
      'DollarPrefixedFieldName',
      `The dollar ($) prefixed field '${name}' in '${name}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
    );
  }
}

function isPositional(part: string): boolean {
  return part === '$' || /^\$\[.*\]$/.test(part);
}

/** The identifier of `$[identifier]`, empty for `$[]`, undefined for other parts. */
export function identifierOf(part: string): string | undefined {
  return part.startsWith('$[') && part.endsWith(']') ? part.slice(2, -1) : undefined;
}

const isNumeric = (part: string): boolean => /^\d+$/.test(part);

/** MongoDB's order of application: names by bytes, numbers by value. */
export function comparePaths(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const order = comparePart(a[index] as string, b[index] as string);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function comparePart(a: string, b: string): number {
  if (isNumeric(a) && isNumeric(b)) return Number(a) - Number(b);
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Refuses two paths of which one is the other or leads to it.
 * @param paths in the order of `comparePaths`
 * @throws ConflictingUpdateOperators (40)
 */
export function refuseConflicts(paths: readonly (readonly string[])[]): void {
  const taken = new Set<string>();
  const leading = new Map<string, string>();
  for (const parts of paths) {
    const path = parts.join('.');
    const conflict = taken.has(path) ? path : (beginningIn(parts, taken) ?? (leading.has(path) ? path : undefined));
    if (conflict !== undefined) {
      throw new MongoError(
        'ConflictingUpdateOperators',
        `Updating the path '${path}' would create a conflict at '${conflict}'`,
      );
    }
    taken.add(path);
    for (let length = 1; length < parts.length; length++) leading.set(parts.slice(0, length).join('.'), path);
  }
}

function beginningIn(parts: readonly string[], taken: ReadonlySet<string>): string | undefined {
  for (let length = 1; length < parts.length; length++) {
    const beginning = parts.slice(0, length).join('.');
    if (taken.has(beginning)) return beginning;
  }
  return undefined;
}
