import { classOf, type Value } from './value';

/** Names and numbers of BSON types as `$type`, `$jsonSchema` and `$convert` use them. */
export const typeCodes: Record<string, number> = {
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  binData: 5,
  undefined: 6,
  objectId: 7,
  bool: 8,
  date: 9,
  null: 10,
  regex: 11,
  dbPointer: 12,
  javascript: 13,
  symbol: 14,
  javascriptWithScope: 15,
  int: 16,
  timestamp: 17,
  long: 18,
  decimal: 19,
  minKey: -1,
  maxKey: 127,
};

const codesByClass: Record<string, number> = {
  Double: 1,
  DBRef: 3,
  Binary: 5,
  ObjectId: 7,
  BSONRegExp: 11,
  BSONSymbol: 14,
  Int32: 16,
  Timestamp: 17,
  Long: 18,
  Decimal128: 19,
  MinKey: -1,
  MaxKey: 127,
};

const namesByCode = new Map(Object.entries(typeCodes).map(([name, code]) => [code, name]));

/** The BSON type number of a value. */
export function typeCodeOf(value: Value): number {
  switch (typeof value) {
    case 'string':
      return 2;
    case 'boolean':
      return 8;
    case 'number':
      return Number.isInteger(value) && value === (value | 0) ? 16 : 1;
    case 'bigint':
      return 18;
    case 'undefined':
      return 6;
  }
  if (value === null) return 10;
  if (Array.isArray(value)) return 4;
  const bsonClass = classOf(value);
  if (bsonClass === 'Code') return (value as { scope?: unknown }).scope ? 15 : 13;
  if (bsonClass !== undefined) return codesByClass[bsonClass] ?? 3;
  if (value instanceof Date) return 9;
  return value instanceof RegExp ? 11 : 3;
}

/** The BSON type name of a value; `missing` for undefined, as `$type` expressions call it. */
export function typeNameOf(value: Value): string {
  if (value === undefined) return 'missing';
  return namesByCode.get(typeCodeOf(value)) ?? 'object';
}
