import { type Int32, Long, Timestamp } from 'bson';
import { type BinaryOperation, calculate, fromInteger, numberTypeOf, toBigInt } from '../bson/arithmetic';
import { compareValues } from '../bson/compare';
import { fieldNames } from '../bson/document';
import { identicalValues } from '../bson/identical';
import type { BsonNumber } from '../bson/number';
import { typeNameOf } from '../bson/type-code';
import { type Document, isDocument, isNumber, type Value } from '../bson/value';
import { MongoError } from '../errors';
import { display, unchanged } from './draft';
import type { CompileModifier } from './modifier';
import { parseUpdatePath } from './update-path';

const bad = (message: string): MongoError => new MongoError('BadValue', message);

const set: CompileModifier = (_path, operand) => {
  const value = operand ?? null;
  return { creates: true, change: () => (current) => (identicalValues(current, value) ? unchanged : value) };
};

const unset: CompileModifier = () => ({
  creates: false,
  change: () => (current) => (current === undefined ? unchanged : undefined),
});

/** $inc and $mul; a missing field counts as zero of the operand's type. */
const arithmetic =
  (operator: '$inc' | '$mul', operation: BinaryOperation, verb: string): CompileModifier =>
  ({ dotted }, operand) => {
    if (!isNumber(operand)) {
      const field = `{${dotted}: ${display(operand)}}`;
      throw new MongoError('TypeMismatch', `Cannot ${verb} with non-numeric argument: ${field}`);
    }
    return {
      creates: true,
      change: (id) => (current) => {
        if (current === undefined) return operator === '$inc' ? operand : zeroLike(operand);
        if (!isNumber(current)) throw notNumeric(operator, dotted, current, id);
        const result = calculate(operation, current, operand);
        if (result === undefined) {
          throw bad(
            `Failed to apply ${operator} operations to current value (${current}) for document {_id: ${display(id)}}`,
          );
        }
        return identicalValues(current, result) ? unchanged : result;
      },
    };
  };

function zeroLike(operand: BsonNumber): BsonNumber {
  const zero = calculate('multiply', 0, operand) as BsonNumber;
  // The product with a negative number is -0.
  return calculate('add', zero, 0) as BsonNumber;
}

function notNumeric(operator: string, dotted: string, current: Value, id: Value): MongoError {
  const name = dotted.split('.').at(-1);
  return new MongoError(
    'TypeMismatch',
    `Cannot apply ${operator} to a value of non-numeric type. {_id: ${display(id)}} has the field '${name}' of non-numeric type ${typeNameOf(current)}`,
  );
}

/** $min and $max, by the order of all types. */
const extreme =
  (sign: 1 | -1): CompileModifier =>
  (_path, operand, { collation }) => {
    const value = operand ?? null;
    return {
      creates: true,
      change: () => (current) => {
        if (current === undefined) return value;
        return compareValues(value, current, collation) * sign > 0 ? value : unchanged;
      },
    };
  };

const rename: CompileModifier = (path, operand) => {
  if (typeof operand !== 'string') {
    throw bad(`The 'to' field for $rename must be a string: ${path.dotted}: ${display(operand)}`);
  }
  if (operand === path.dotted) {
    throw bad(`The source and target field for $rename must differ: ${path.dotted}: ${display(operand)}`);
  }
  const target = parseUpdatePath(operand);
  if (path.isDynamic) throw bad(`The source field for $rename may not be dynamic: ${path.dotted}`);
  if (target.isDynamic) throw bad(`The destination field for $rename may not be dynamic: ${operand}`);
  return { creates: true, source: path, change: () => () => unchanged };
};

const currentDate: CompileModifier = ({ dotted }, operand, { now }) => {
  const type = dateType(operand);
  if (type === undefined) {
    const given = typeNameOf(operand);
    throw bad(
      `${given} is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({$type: 'timestamp/date'}) for field '${dotted}'.`,
    );
  }
  const value = type === 'date' ? now : new Timestamp({ t: Math.floor(now.getTime() / 1000), i: 1 });
  return { creates: true, change: () => (current) => (identicalValues(current, value) ? unchanged : value) };
};

function dateType(operand: Value): 'date' | 'timestamp' | undefined {
  if (typeof operand === 'boolean') return 'date';
  if (!isDocument(operand) || fieldNames(operand).join() !== '$type') return undefined;
  const { $type: type } = operand;
  return type === 'date' || type === 'timestamp' ? type : undefined;
}

const bitOperations: Record<string, (a: bigint, b: bigint) => bigint> = {
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
};

const bit: CompileModifier = ({ dotted }, operand) => {
  if (!isDocument(operand)) {
    throw bad(
      `The $bit modifier is not compatible with a ${typeNameOf(operand)}. You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}`,
    );
  }
  const names = fieldNames(operand);
  if (names.length === 0) {
    throw bad(`You must pass in at least one bitwise operation. The format is: {$bit: {field: {and/or/xor: #}}}`);
  }
  const steps = names.map((name) => bitStep(name, operand));
  return {
    creates: true,
    change: (id) => (current) => {
      const before = current === undefined ? zeroOfSteps(steps) : current;
      if (!isInteger(before)) {
        throw bad(
          `Cannot apply $bit to a value of non-integral type._id: ${display(id)} has the field ${dotted} of non-integer type ${typeNameOf(current)}`,
        );
      }
      const result = steps.reduce<BsonNumber>((value, { apply, mask }) => applyBits(value, mask, apply), before);
      return current !== undefined && identicalValues(current, result) ? unchanged : result;
    },
  };
};

interface BitStep {
  apply(a: bigint, b: bigint): bigint;
  mask: BsonNumber;
}

function bitStep(name: string, operand: Document): BitStep {
  const apply = Object.hasOwn(bitOperations, name) ? bitOperations[name] : undefined;
  if (!apply) {
    throw bad(`The $bit modifier only supports 'and', 'or', and 'xor', not '${name}' which is an unknown operator`);
  }
  const mask = operand[name];
  if (!isInteger(mask))
    throw bad(`The $bit modifier field must be an Integer(32/64 bit); a '${typeNameOf(mask)}' is not supported here`);
  return { apply, mask };
}

function isInteger(value: Value): value is BsonNumber {
  return isNumber(value) && ['int', 'long'].includes(numberTypeOf(value));
}

function zeroOfSteps(steps: BitStep[]): BsonNumber {
  return steps.some(({ mask }) => numberTypeOf(mask) === 'long') ? Long.ZERO : 0;
}

function applyBits(value: BsonNumber, mask: BsonNumber, apply: BitStep['apply']): Int32 | Long {
  const isLong = numberTypeOf(value) === 'long' || numberTypeOf(mask) === 'long';
  return fromInteger(apply(toBigInt(value), toBigInt(mask)), isLong ? 'long' : 'int') as Int32 | Long;
}

export const fieldModifiers: Record<string, CompileModifier> = {
  $set: set,
  $setOnInsert: (path, operand, context) => ({ ...set(path, operand, context), onlyOnInsert: true }),
  $unset: unset,
  $inc: arithmetic('$inc', 'add', 'increment'),
  $mul: arithmetic('$mul', 'multiply', 'multiply'),
  $min: extreme(-1),
  $max: extreme(1),
  $rename: rename,
  $currentDate: currentDate,
  $bit: bit,
};
