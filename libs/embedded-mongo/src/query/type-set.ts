import { type BsonNumber, toDouble } from '../bson/number';
import { typeCodes } from '../bson/type-code';
import { isNumber, type Value } from '../bson/value';
import { MongoError } from '../errors';
import type { TypeSet } from './filter-node';

const numberCodes = [1, 16, 18, 19];
const knownCodes = new Set(Object.values(typeCodes));

/** Reads the operand of `$type`: a name, a number or an array of them. */
export function parseTypeSet(operand: Value): TypeSet {
  const types = Array.isArray(operand) ? operand : [operand];
  if (types.length === 0) throw new MongoError('FailedToParse', '$type must match at least one type');
  const codes = new Set<number>();
  for (const type of types) for (const code of codesOf(type)) codes.add(code);
  return { codes, anyNumber: types.includes('number') };
}

function codesOf(type: Value): number[] {
  if (type === 'number') return numberCodes;
  if (typeof type === 'string') {
    const code = typeCodes[type];
    if (code === undefined || !Object.hasOwn(typeCodes, type)) {
      throw new MongoError('BadValue', `Unknown type name alias: ${type}`);
    }
    return [code];
  }
  if (!isNumber(type)) throw new MongoError('TypeMismatch', 'type must be represented as a number or a string');
  const code = toDouble(type as BsonNumber);
  if (!knownCodes.has(code)) throw new MongoError('BadValue', `Invalid numerical type code: ${code}`);
  return [code];
}
