import type { Decimal128 } from 'bson';
import { compareValues } from './compare';
import { fieldNames } from './document';
import { type BsonNumber, toDouble } from './number';
import { typeCodeOf } from './type-code';
import type { Document, Value } from './value';

/** Whether two values have the same bytes: an update to an identical value changes nothing. */
export function identicalValues(a: Value, b: Value): boolean {
  if (a === b) return true;
  const type = typeCodeOf(a);
  if (type !== typeCodeOf(b)) return false;
  switch (type) {
    case 1:
      return Object.is(toDouble(a as BsonNumber), toDouble(b as BsonNumber));
    case 19:
      return Buffer.compare((a as Decimal128).bytes, (b as Decimal128).bytes) === 0;
    case 3:
      return identicalDocuments(a as Document, b as Document);
    case 4:
      return identicalArrays(a as Value[], b as Value[]);
    default:
      return compareValues(a, b) === 0;
  }
}

function identicalDocuments(a: Document, b: Document): boolean {
  const names = fieldNames(a);
  const others = fieldNames(b);
  return (
    names.length === others.length &&
    names.every((name, at) => name === others[at] && identicalValues(a[name], b[name]))
  );
}

function identicalArrays(a: Value[], b: Value[]): boolean {
  return a.length === b.length && a.every((element, index) => identicalValues(element, b[index]));
}
