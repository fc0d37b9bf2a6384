import { fieldNames } from '../bson/document';
import { type Document, isDocument, type Value } from '../bson/value';
import { MongoError } from '../errors';
import { compileFilter, type FilterOptions } from '../query/compile-filter';
import { parseFilter } from '../query/parse-filter';

export type ArrayFilters = ReadonlyMap<string, (element: Value) => boolean>;

/**
 * Parses `arrayFilters`: each has one identifier, with which its paths begin.
 * @throws FailedToParse (9) for none or several identifiers in a filter, or a repeated one
 */
export function parseArrayFilters(filters: readonly Value[], options: FilterOptions): ArrayFilters {
  const byIdentifier = new Map<string, (element: Value) => boolean>();
  for (const filter of filters) {
    if (!isDocument(filter)) throw new MongoError('TypeMismatch', 'Each array filter must be an object');
    const identifier = identifierOfFilter(filter);
    if (byIdentifier.has(identifier)) {
      throw new MongoError(
        'FailedToParse',
        `Found multiple array filters with the same top-level field name ${identifier}`,
      );
    }
    const matcher = compileFilter(parseFilter(filter), options);
    byIdentifier.set(identifier, (element) => matcher.matches({ [identifier]: element }));
  }
  return byIdentifier;
}

function identifierOfFilter(filter: Document): string {
  const identifiers = new Set(pathsOf(filter).map((path) => path.split('.')[0] as string));
  const [identifier] = identifiers;
  if (identifier === undefined) {
    throw new MongoError('FailedToParse', 'Cannot use an expression without a top-level field name in arrayFilters');
  }
  if (identifiers.size > 1) {
    const [first, second] = identifiers;
    throw new MongoError(
      'FailedToParse',
      `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${first}' and '${second}'`,
    );
  }
  if (!/^[a-z][a-zA-Z0-9]*$/.test(identifier)) {
    throw new MongoError(
      'BadValue',
      `Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${identifier}'`,
    );
  }
  return identifier;
}

function pathsOf(filter: Document): string[] {
  return fieldNames(filter).flatMap((name) => {
    const value = filter[name];
    if (!['$and', '$or', '$nor'].includes(name)) return name.startsWith('$') ? [] : [name];
    return Array.isArray(value) ? value.filter(isDocument).flatMap(pathsOf) : [];
  });
}
