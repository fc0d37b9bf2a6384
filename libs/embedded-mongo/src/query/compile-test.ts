import type { Binary, BSONSymbol, ObjectId } from 'bson';
import type { Collation } from '../bson/collation';
import { binaryBytes, compareValues, regExpParts } from '../bson/compare';
import type { BsonNumber } from '../bson/number';
import { integral, truncated } from '../bson/number';
import { typeCodeOf } from '../bson/type-code';
import { classOf, isNumber, Rank, rankOf, type Value } from '../bson/value';
import { ValueSet } from '../bson/value-set';
import { compileRegularExpression } from '../language/regular-expression';
import type { Test } from '../language/visit-path';
import type { BitsOperator, ComparisonOperator, FilterNode } from './filter-node';
import { littleEndian } from './parse-operators';

type Leaf = Extract<FilterNode, { kind: 'leaf' }>;

/** The test of a leaf on each value at its path. */
export function compileTest(leaf: Leaf, collation: Collation | undefined): Test {
  switch (leaf.operator) {
    case '$eq':
      return equality(leaf.value, collation);
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return range(leaf.operator, leaf.value, collation);
    case '$in':
      return membership(leaf.value, collation);
    case '$exists':
      return (value) => value !== undefined;
    case '$regex':
      return pattern(leaf.value);
    case '$type': {
      const { codes } = leaf.value;
      return (value) => value !== undefined && codes.has(typeCodeOf(value));
    }
    case '$size': {
      const size = leaf.value;
      return (value) => Array.isArray(value) && value.length === size;
    }
    case '$mod':
      return modulo(leaf.value);
    default:
      return bits(leaf.operator, leaf.value);
  }
}

function equality(operand: Value, collation: Collation | undefined): Test {
  if (operand === null || operand === undefined) return (value) => value === undefined || value === null;
  const rank = rankOf(operand);
  if (typeof operand === 'string' && !collation) {
    return (value) => value === operand || (rankOf(value) === Rank.String && (value as BSONSymbol).value === operand);
  }
  if (typeof operand === 'boolean') return (value) => value === operand;
  if (rank === Rank.ObjectId) return sameId(operand as ObjectId);
  return (value) => value !== undefined && rankOf(value) === rank && compareValues(value, operand, collation) === 0;
}

function sameId(operand: ObjectId): Test {
  const bytes = operand.id;
  return (value) => {
    if (typeof value !== 'object' || value === null || classOf(value) !== 'ObjectId') return false;
    return Buffer.compare((value as ObjectId).id, bytes) === 0;
  };
}

const wanted: Record<Exclude<ComparisonOperator, '$eq'>, (order: number) => boolean> = {
  $gt: (order) => order > 0,
  $gte: (order) => order >= 0,
  $lt: (order) => order < 0,
  $lte: (order) => order <= 0,
};

function range(operator: Exclude<ComparisonOperator, '$eq'>, operand: Value, collation: Collation | undefined): Test {
  const holds = wanted[operator];
  const rank = rankOf(operand);
  if (rank === Rank.MinKey || rank === Rank.MaxKey) return (value) => holds(compareValues(value, operand, collation));
  if (isNaNValue(operand)) return (value) => isNaNValue(value) && holds(0);
  if (rank === Rank.Number) {
    return (value) => isNumber(value) && holds(compareValues(value, operand)) && !isNaNValue(value);
  }
  return (value) => rankOf(value) === rank && holds(compareValues(value, operand, collation));
}

const isNaNValue = (value: Value): boolean => isNumber(value) && String(value) === 'NaN';

function membership(operands: Value[], collation: Collation | undefined): Test {
  const expressions = operands.filter((operand) => rankOf(operand) === Rank.RegExp);
  const patterns = expressions.map((expression) => pattern(regExpParts(expression as RegExp)));
  const values = new ValueSet(operands, collation);
  const hasNull = values.has(null);
  return (value) => {
    if (value === undefined || value === null) return hasNull;
    return values.has(value) || patterns.some((test) => test(value));
  };
}

/** Strings that match, and equal regular expressions. */
function pattern({ pattern: source, options }: { pattern: string; options: string }): Test {
  const expression = compileRegularExpression(source, options);
  return (value) => {
    if (typeof value === 'string') return expression.test(value);
    if (typeof value !== 'object' || value === null) return false;
    if (classOf(value) === 'BSONSymbol') return expression.test((value as BSONSymbol).value);
    if (rankOf(value) !== Rank.RegExp) return false;
    const parts = regExpParts(value as RegExp);
    return parts.pattern === source && parts.options === options;
  };
}

function modulo({ divisor, remainder }: { divisor: bigint; remainder: bigint }): Test {
  return (value) => {
    if (!isNumber(value)) return false;
    const whole = truncated(value);
    return whole !== undefined && whole % divisor === remainder;
  };
}

const maskTests: Record<BitsOperator, (value: bigint, mask: bigint) => boolean> = {
  $bitsAllSet: (value, mask) => (value & mask) === mask,
  $bitsAnySet: (value, mask) => (value & mask) !== 0n,
  $bitsAllClear: (value, mask) => (value & mask) === 0n,
  $bitsAnyClear: (value, mask) => (value & mask) !== mask,
};

function bits(operator: BitsOperator, mask: bigint): Test {
  const test = maskTests[operator];
  return (value) => {
    const number = bitsOf(value);
    return number !== undefined && test(number, mask);
  };
}

function bitsOf(value: Value): bigint | undefined {
  if (isNumber(value)) return integral(value as BsonNumber);
  if (typeof value !== 'object' || value === null || classOf(value) !== 'Binary') return undefined;
  return littleEndian(binaryBytes(value as Binary));
}
