import { parseCollation } from '../bson/collation';
import { equalValues } from '../bson/compare';
import { type Document, isDocument, isNumber, type Value } from '../bson/value';
import { MongoError } from '../errors';
import type { FilterNode } from '../query/filter-node';
import { parseFilter } from '../query/parse-filter';
import type { Index } from './index-spec';

const booleanOptions = new Set(['unique', 'sparse', 'hidden', 'background', 'prepareUnique']);
/** Options of every index that drivers send with every kind. */
const ignoredOptions = new Set(['v', 'ns', 'background', 'storageEngine', 'prepareUnique']);
const options = new Set([
  'key',
  'name',
  'unique',
  'sparse',
  'hidden',
  'expireAfterSeconds',
  'partialFilterExpression',
  'collation',
  ...ignoredOptions,
]);
const MAX_EXPIRY_SECONDS = 2147483647;

/**
 * Checks an index of `createIndexes`.
 * @param ofCollection the default collation; `{locale: 'simple'}` overrides it
 * @returns the spec in the form of `listIndexes`
 * @throws CannotCreateIndex (67), InvalidIndexSpecificationOption (197) and others with MongoDB's codes
 */
export function validateSpec(given: Document, ofCollection?: Document): Document {
  const { key, name } = given;
  if (!isDocument(key))
    throw new MongoError('FailedToParse', "The 'key' field is a required property of an index specification");
  if (typeof name !== 'string' || name === '') {
    throw new MongoError('FailedToParse', "The 'name' field is a required property of an index specification");
  }
  validateKey(key);
  for (const [option, value] of Object.entries(given)) validateOption(option, value);
  if (given.sparse && given.partialFilterExpression) {
    throw new MongoError('CannotCreateIndex', 'cannot mix "partialFilterExpression" and "sparse" options');
  }
  if (given.expireAfterSeconds !== undefined) validateExpiry(key, given.expireAfterSeconds);
  const kept = Object.entries(given).filter(([option, value]) => keeps(option, value));
  const collation = parseCollation((given.collation ?? ofCollection) as Document | undefined);
  return Object.fromEntries([['v', 2], ...kept, ...(collation ? [['collation', collation.spec]] : [])]) as Document;
}

function keeps(option: string, value: Value): boolean {
  if (ignoredOptions.has(option) || option === 'collation') return false;
  return !(booleanOptions.has(option) && (value === false || value === undefined));
}

function validateKey(key: Document): void {
  const fields = Object.entries(key);
  if (fields.length === 0) throw new MongoError('CannotCreateIndex', 'Index keys cannot be an empty object');
  if (fields.length > 32) throw new MongoError(13103, 'too many fields in an index key (more than 32)');
  for (const [field, direction] of fields) {
    if (field === '' || field.split('.').includes(''))
      throw new MongoError('CannotCreateIndex', 'Index keys cannot contain an empty field');
    if (field.includes('$**')) throw new MongoError('CommandNotSupported', 'wildcard indexes are not supported');
    if (field.startsWith('$'))
      throw new MongoError(
        'CannotCreateIndex',
        `Index key contains an illegal field name: field name starts with '$'.`,
      );
    if (typeof direction === 'string') throw unsupportedKind(direction);
    if (!isNumber(direction) || Number(direction) === 0 || Number.isNaN(Number(direction))) {
      throw new MongoError(
        'CannotCreateIndex',
        'Values in v:2 index key pattern must be numbers other than zero, or strings',
      );
    }
  }
}

const kinds = new Set(['2d', '2dsphere', 'text', 'hashed']);

function unsupportedKind(kind: string): MongoError {
  return kinds.has(kind)
    ? new MongoError('CommandNotSupported', `indexes of type '${kind}' are not supported`)
    : new MongoError('CannotCreateIndex', `Unknown index plugin '${kind}'`);
}

function validateOption(option: string, value: Value): void {
  if (!options.has(option)) {
    throw new MongoError(
      'InvalidIndexSpecificationOption',
      `The field '${option}' is not valid for an index specification.`,
    );
  }
  if (booleanOptions.has(option) && value !== undefined && typeof value !== 'boolean' && !isNumber(value)) {
    throw new MongoError(
      'TypeMismatch',
      `The field '${option}' has value ${String(value)}, which is not convertible to bool`,
    );
  }
  if (option === 'partialFilterExpression') {
    if (!isDocument(value))
      throw new MongoError('TypeMismatch', "The field 'partialFilterExpression' must be an object");
    validatePartial(parseFilter(value));
  }
}

const partialOperators = new Set(['$eq', '$gt', '$gte', '$lt', '$lte', '$type', '$in']);

/** Only conditions for which the planner can decide whether a query implies them. */
function validatePartial(node: FilterNode): void {
  if (node.kind === 'and' || node.kind === 'or') {
    for (const child of node.children) validatePartial(child);
    return;
  }
  if (node.kind === 'always' && node.value) return;
  const isAllowed =
    node.kind === 'leaf' && (partialOperators.has(node.operator) || (node.operator === '$exists' && node.value));
  if (!isAllowed) throw new MongoError('CannotCreateIndex', 'Expression not supported in partial index');
}

function validateExpiry(key: Document, seconds: Value): void {
  if (Object.keys(key).length > 1 || '_id' in key) {
    throw new MongoError(
      'CannotCreateIndex',
      'TTL indexes are single-field indexes, compound indexes do not support TTL',
    );
  }
  const value = isNumber(seconds) ? Number(seconds) : Number.NaN;
  if (!(value >= 0 && value <= MAX_EXPIRY_SECONDS)) {
    throw new MongoError(
      'CannotCreateIndex',
      `TTL index 'expireAfterSeconds' option must be within an acceptable range, got ${String(seconds)}`,
    );
  }
}

/**
 * Whether the index already exists. @throws IndexOptionsConflict (85), IndexKeySpecsConflict (86) if a similar one
 * does
 */
export function findExisting(existing: Index[], spec: Document): Index | undefined {
  for (const index of existing) {
    const isSameKey =
      sameOrderedKey(index.record.spec.key as Document, spec.key as Document) && sameIdentity(index.record.spec, spec);
    const isSameName = index.name === spec.name;
    if (!isSameKey && !isSameName) continue;
    if (isSameKey && index.isPrimary) return index;
    if (isSameName && !isSameKey) {
      throw new MongoError(
        'IndexKeySpecsConflict',
        `An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. Requested index: ${show(spec)}, existing index: ${show(index.record.spec)}`,
      );
    }
    if (!isSameName) {
      throw new MongoError('IndexOptionsConflict', `Index already exists with a different name: ${index.name}`);
    }
    if (!sameOptions(index.record.spec, spec)) {
      throw new MongoError(
        'IndexKeySpecsConflict',
        `An equivalent index already exists with the same name but different options. Requested index: ${show(spec)}, existing index: ${show(index.record.spec)}`,
      );
    }
    return index;
  }
  return undefined;
}

function sameOrderedKey(a: Document, b: Document): boolean {
  return equalValues(a, b);
}

/** Indexes with the same key may coexist if they contain other documents or have another collation. */
function sameIdentity(a: Document, b: Document): boolean {
  return equalValues(a.partialFilterExpression, b.partialFilterExpression) && equalValues(a.collation, b.collation);
}

function sameOptions(a: Document, b: Document): boolean {
  return ['unique', 'sparse', 'expireAfterSeconds'].every((option) =>
    equalValues(a[option] ?? false, b[option] ?? false),
  );
}

const show = (spec: Document): string => JSON.stringify(spec);
