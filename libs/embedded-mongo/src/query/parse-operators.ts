import type { Binary } from 'bson';
import { binaryBytes, regExpParts } from '../bson/compare';
import { fieldNames, hasField } from '../bson/document';
import { type BsonNumber, integral, truncated } from '../bson/number';
import { isTruthy } from '../bson/truth';
import { classOf, type Document, isDocument, isNumber, Rank, rankOf, type Value } from '../bson/value';
import { MongoError } from '../errors';
import { compileRegularExpression } from '../language/regular-expression';
import type { BitsOperator, ComparisonOperator, FilterNode } from './filter-node';
import { parseTypeSet } from './type-set';

/** Reads a filter on the elements of an array. */
type FilterParser = (filter: Document) => FilterNode;

const bad = (message: string): MongoError => new MongoError('BadValue', message);

const referenceFields = new Set(['$ref', '$id', '$db']);

/** Whether this is a field of references to other documents (DBRef), the only fields with a dollar in filters. */
export const isReferenceField = (name: string): boolean => referenceFields.has(name);

/** Whether the operand of a field is operators (`{$gt: 1}`) rather than a value to equal. References are values. */
export function isOperatorDocument(operand: Value): operand is Document {
  return beginsWithDollar(operand) && !(hasField(operand, '$ref') && hasField(operand, '$id'));
}

function beginsWithDollar(operand: Value): operand is Document {
  return isDocument(operand) && fieldNames(operand)[0]?.startsWith('$') === true;
}

/** Parses the operators on one field; all of them must match. */
export function parseOperators(path: string, operators: Document, parseFilter: FilterParser): FilterNode[] {
  const nodes: FilterNode[] = [];
  for (const operator of fieldNames(operators)) {
    if (operator === '$options') {
      if (!hasField(operators, '$regex')) throw bad('$options needs a $regex');
      continue;
    }
    nodes.push(parseOperator(path, operator, operators[operator] ?? null, operators, parseFilter));
  }
  return nodes;
}

function parseOperator(
  path: string,
  operator: string,
  operand: Value,
  siblings: Document,
  parseFilter: FilterParser,
): FilterNode {
  switch (operator) {
    case '$eq':
      return { kind: 'leaf', path, operator, value: operand };
    case '$ne':
      if (isRegExp(operand)) throw bad("Can't have regex as arg to $ne.");
      return { kind: 'not', child: { kind: 'leaf', path, operator: '$eq', value: operand } };
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return parseRange(path, operator, operand);
    case '$in':
      return parseIn(path, operator, operand);
    case '$nin':
      return { kind: 'not', child: parseIn(path, operator, operand) };
    case '$not':
      return { kind: 'not', child: parseNot(path, operand, parseFilter) };
    case '$exists':
      return { kind: 'leaf', path, operator, value: isTruthy(operand) };
    case '$type':
      return { kind: 'leaf', path, operator, value: parseTypeSet(operand) };
    case '$regex':
      return parseRegex(path, operand, siblings.$options);
    case '$mod':
      return { kind: 'leaf', path, operator, value: parseMod(operand) };
    case '$size':
      return { kind: 'leaf', path, operator, value: parseSize(operand) };
    case '$all':
      return parseAll(path, operand, parseFilter);
    case '$elemMatch':
      return parseElemMatch(path, operand, parseFilter);
    case '$bitsAllSet':
    case '$bitsAnySet':
    case '$bitsAllClear':
    case '$bitsAnyClear':
      return { kind: 'leaf', path, operator, value: parseBits(operator, operand) };
    case '$near':
    case '$nearSphere':
    case '$geoNear':
    case '$geoWithin':
    case '$geoIntersects':
    case '$within':
      throw new MongoError('CommandNotSupported', `${operator} is not supported`);
    default:
      throw bad(`unknown operator: ${operator}`);
  }
}

const isRegExp = (value: Value): boolean => rankOf(value) === Rank.RegExp;

function parseRange(path: string, operator: ComparisonOperator, operand: Value): FilterNode {
  if (isRegExp(operand)) throw bad(`Can't have RegEx as arg to predicate over field '${path}'.`);
  return { kind: 'leaf', path, operator, value: operand };
}

function parseIn(path: string, operator: string, operand: Value): FilterNode {
  if (!Array.isArray(operand)) throw bad(`${operator} needs an array`);
  if (operand.some(isOperatorDocument)) throw bad(`cannot nest $ under ${operator}`);
  for (const element of operand) if (isRegExp(element)) checkRegExp(regExpParts(element as RegExp));
  return { kind: 'leaf', path, operator: '$in', value: operand };
}

function parseNot(path: string, operand: Value, parseFilter: FilterParser): FilterNode {
  if (isRegExp(operand)) return regexLeaf(path, regExpParts(operand as RegExp));
  if (!isDocument(operand)) throw bad('$not needs a regex or a document');
  if (fieldNames(operand).length === 0) throw bad('$not cannot be empty');
  const children = parseOperators(path, operand, parseFilter);
  return children.length === 1 ? (children[0] as FilterNode) : { kind: 'and', children };
}

function parseRegex(path: string, operand: Value, options: Value): FilterNode {
  if (options !== undefined && typeof options !== 'string') throw bad('$options has to be a string');
  if (typeof operand === 'string') return regexLeaf(path, { pattern: operand, options: options ?? '' });
  if (!isRegExp(operand)) throw bad('$regex has to be a string');
  const parts = regExpParts(operand as RegExp);
  if (options && parts.options) throw new MongoError(51075, 'options set in both $regex and $options');
  return regexLeaf(path, { pattern: parts.pattern, options: options ?? parts.options });
}

function regexLeaf(path: string, { pattern, options }: { pattern: string; options: string }): FilterNode {
  checkRegExp({ pattern, options });
  return { kind: 'leaf', path, operator: '$regex', value: { pattern, options } };
}

function checkRegExp({ pattern, options }: { pattern: string; options: string }): void {
  compileRegularExpression(pattern, options);
}

function parseMod(operand: Value): { divisor: bigint; remainder: bigint } {
  if (!Array.isArray(operand)) throw bad('malformed mod, needs to be an array');
  if (operand.length < 2) throw bad('malformed mod, not enough elements');
  if (operand.length > 2) throw bad('malformed mod, too many elements');
  const [divisor, remainder] = operand;
  if (!isNumber(divisor)) throw bad('malformed mod, divisor not a number');
  if (!isNumber(remainder)) throw bad('malformed mod, remainder not a number');
  const result = { divisor: wholePart(divisor, 'divisor'), remainder: wholePart(remainder, 'remainder') };
  if (result.divisor === 0n) throw bad('divisor cannot be 0');
  return result;
}

function wholePart(value: BsonNumber, what: string): bigint {
  const whole = truncated(value);
  if (whole === undefined) throw bad(`malformed mod, ${what} value is invalid :: NaN or out of range`);
  return whole;
}

function parseSize(operand: Value): number {
  const size = isNumber(operand) ? integral(operand) : undefined;
  if (size === undefined) throw bad('Failed to parse $size. Expected an integer');
  if (size < 0n) throw bad(`Failed to parse $size. Expected a non-negative number in: $size: ${size}`);
  return Number(size);
}

function parseAll(path: string, operand: Value, parseFilter: FilterParser): FilterNode {
  if (!Array.isArray(operand)) throw bad('$all needs an array');
  if (operand.length === 0) return { kind: 'always', value: false };
  const children = operand.map((element) => parseAllElement(path, element, operand, parseFilter));
  return children.length === 1 ? (children[0] as FilterNode) : { kind: 'and', children };
}

function parseAllElement(path: string, element: Value, all: Value[], parseFilter: FilterParser): FilterNode {
  if (isElemMatch(all[0])) {
    if (!isElemMatch(element)) throw bad('$all/$elemMatch has to be consistent');
    return parseElemMatch(path, (element as Document).$elemMatch, parseFilter);
  }
  if (isRegExp(element)) return regexLeaf(path, regExpParts(element as RegExp));
  if (isOperatorDocument(element)) throw bad('no $ expressions in $all');
  return { kind: 'leaf', path, operator: '$eq', value: element ?? null };
}

const isElemMatch = (value: Value): boolean => isDocument(value) && fieldNames(value)[0] === '$elemMatch';

const logical = new Set(['$and', '$or', '$nor', '$expr', '$jsonSchema', '$comment', '$where']);

function parseElemMatch(path: string, operand: Value, parseFilter: FilterParser): FilterNode {
  if (!isDocument(operand)) throw bad('$elemMatch needs an Object');
  const names = fieldNames(operand);
  // Any fields of a reference may be given.
  if (beginsWithDollar(operand) && !names.some(isReferenceField) && !logical.has(names[0]!)) {
    const children = parseOperators('', operand, parseFilter);
    return { kind: 'elemMatchValue', path, child: { kind: 'and', children } };
  }
  return { kind: 'elemMatchObject', path, child: parseFilter(operand) };
}

/** A mask: as a number, a list of bit positions, or bytes with the lowest first. */
function parseBits(operator: BitsOperator, operand: Value): bigint {
  if (Array.isArray(operand)) return operand.reduce<bigint>((mask, bit) => mask | (1n << bitPosition(bit)), 0n);
  if (typeof operand === 'object' && operand !== null && classOf(operand) === 'Binary') {
    return littleEndian(binaryBytes(operand as Binary));
  }
  const mask = isNumber(operand) ? integral(operand) : undefined;
  if (mask === undefined)
    throw bad(`${operator} takes an Array, a number, or a BinData but received: ${typeof operand}`);
  if (mask < 0n) throw new MongoError('FailedToParse', `Expected a non-negative number in: ${operator}: ${mask}`);
  return mask;
}

function bitPosition(bit: Value): bigint {
  const position = isNumber(bit) ? integral(bit) : undefined;
  if (position === undefined || position < 0n || position > 0x7fffffffn) {
    throw bad('bit positions must be an integer >= 0');
  }
  // Beyond the sign bit all bits of a number are the sign, so the mask need not grow without bound.
  return position > 1_000_000n ? 1_000_000n : position;
}

/** Bytes as one number, the lowest first. */
export function littleEndian(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}
