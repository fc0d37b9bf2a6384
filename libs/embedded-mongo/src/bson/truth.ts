import { type BsonNumber, compareNumbers } from './number';
import { isNumber, type Value } from './value';

/** Truth in MongoDB: everything except false, zero, null and missing. */
export function isTruthy(value: Value): boolean {
  if (value === null || value === undefined || value === false) return false;
  return !isNumber(value) || compareNumbers(value as BsonNumber, 0) !== 0;
}
