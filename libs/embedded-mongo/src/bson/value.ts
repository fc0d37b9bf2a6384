import type {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  DBRef,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'bson';

/**
 * A BSON value in memory. Numbers have their class, because 1, 1.0 and NumberLong(1) are different on disk; plain JS
 * numbers are accepted everywhere (as int32 if whole and small, else double) but never produced.
 */
export type Value =
  | null
  | undefined
  | string
  | boolean
  | number
  | bigint
  | Date
  | Int32
  | Double
  | Long
  | Decimal128
  | ObjectId
  | Binary
  | BSONRegExp
  | RegExp
  | BSONSymbol
  | Code
  | DBRef
  | Timestamp
  | MinKey
  | MaxKey
  | Value[]
  | Document;

/** A BSON document: fields in their order (see `fieldNames` for names that look like array indexes). */
export interface Document {
  [field: string]: Value;
}

/** Ranks of BSON types in comparison order. Null, undefined and missing are one; so are all numbers. */
export const Rank = {
  MinKey: 2,
  Null: 10,
  Number: 20,
  String: 30,
  Object: 40,
  Array: 50,
  Binary: 60,
  ObjectId: 70,
  Boolean: 80,
  Date: 90,
  Timestamp: 95,
  RegExp: 100,
  DBPointer: 110,
  Code: 120,
  CodeWithScope: 130,
  MaxKey: 250,
} as const;

export type Rank = (typeof Rank)[keyof typeof Rank];

const ranksByClass: Record<string, Rank> = {
  Int32: Rank.Number,
  Double: Rank.Number,
  Long: Rank.Number,
  Decimal128: Rank.Number,
  BSONSymbol: Rank.String,
  Binary: Rank.Binary,
  ObjectId: Rank.ObjectId,
  ObjectID: Rank.ObjectId,
  Timestamp: Rank.Timestamp,
  BSONRegExp: Rank.RegExp,
  DBRef: Rank.Object,
  MinKey: Rank.MinKey,
  MaxKey: Rank.MaxKey,
};

/** The place of a value's type in BSON's comparison order. */
export function rankOf(value: Value): Rank {
  switch (typeof value) {
    case 'string':
      return Rank.String;
    case 'number':
    case 'bigint':
      return Rank.Number;
    case 'boolean':
      return Rank.Boolean;
    case 'undefined':
      return Rank.Null;
  }
  if (value === null) return Rank.Null;
  if (Array.isArray(value)) return Rank.Array;
  const bsonClass = classOf(value);
  if (bsonClass === undefined) {
    if (value instanceof Date) return Rank.Date;
    return value instanceof RegExp ? Rank.RegExp : Rank.Object;
  }
  if (bsonClass === 'Code') return (value as Code).scope ? Rank.CodeWithScope : Rank.Code;
  return ranksByClass[bsonClass] ?? Rank.Object;
}

/** The name of the BSON class of an object, or undefined for documents, dates and other plain objects. */
export function classOf(value: object): string | undefined {
  // Only classes have it on the prototype: a stored document may have a field of that name.
  const bsonClass = (value as { _bsontype?: unknown })._bsontype;
  return typeof bsonClass === 'string' && !Object.hasOwn(value, '_bsontype') ? bsonClass : undefined;
}

export function isNumber(value: Value): value is number | bigint | Int32 | Double | Long | Decimal128 {
  return rankOf(value) === Rank.Number;
}

export function isDocument(value: Value): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && rankOf(value) === Rank.Object;
}
