import { Decimal128, Long } from 'bson';
import { type Document, isDocument, isNumber, type Value } from '../bson/value';
import { MongoError } from '../errors';
import type { Call } from './command';

/** `database.collection` of a command whose first field names the collection. @throws InvalidNamespace (73) */
export function namespaceOf({ body, database }: Call): string {
  const [command, name] = Object.entries(body)[0]!;
  if (typeof name !== 'string') {
    throw new MongoError('InvalidNamespace', `collection name has invalid type for command ${command}`);
  }
  if (name === '') throw new MongoError('InvalidNamespace', `Invalid namespace specified '${database}.'`);
  return `${database}.${name}`;
}

/** @throws TypeMismatch (14) */
export function optionalDocument(value: Value, name: string): Document | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isDocument(value)) throw wrongType(name, 'object');
  return value;
}

/** Booleans may be sent as numbers. @throws TypeMismatch (14) */
export function flag(value: Value, name: string): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'boolean') return value;
  if (isNumber(value)) return Number(value) !== 0;
  throw wrongType(name, 'bool');
}

/** A whole number of any numeric type. @throws TypeMismatch (14), BadValue (2) when below `least` */
export function optionalInteger(value: Value, name: string, least = 0): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isNumber(value)) throw wrongType(name, 'number');
  const number = value instanceof Long || value instanceof Decimal128 ? Number(value.toString()) : Number(value);
  if (!Number.isInteger(number)) throw new MongoError('BadValue', `Field '${name}' must be a whole number`);
  if (number < least) {
    throw new MongoError(51024, `BSON field '${name}' value must be >= ${least}, actual value '${number}'`);
  }
  return number;
}

/** @throws TypeMismatch (14) */
export function documentList(value: Value, name: string): Document[] {
  if (!Array.isArray(value)) throw wrongType(name, 'array');
  for (const element of value) if (!isDocument(element)) throw wrongType(name, 'object');
  return value as Document[];
}

/** Refuses arguments that this server does not support, unless their value has no effect. */
export function refuseIfSet(body: Document, ...names: string[]): void {
  for (const name of names) {
    const value = body[name];
    const isUnset =
      value === undefined ||
      value === null ||
      value === false ||
      (isDocument(value) && Object.keys(value).length === 0);
    if (!isUnset) throw new MongoError('CommandNotSupported', `'${name}' is not supported`);
  }
}

function wrongType(name: string, expected: string): MongoError {
  return new MongoError('TypeMismatch', `BSON field '${name}' is the wrong type, expected type '${expected}'`);
}
