import { Binary, ObjectId } from 'bson';
import { binaryBytes } from '../bson/compare';
import { fieldNames } from '../bson/document';
import { type Document, isDocument, isNumber, type Value } from '../bson/value';
import { MongoError } from '../errors';
import type { Index } from './index-spec';

/**
 * The error of a duplicate in a unique index. Drivers and Mongoose read `keyPattern` and `keyValue`, and many
 * programs parse the text.
 */
export function duplicateKey(namespace: string, index: Index, document: Document): MongoError {
  const keyValue: Document = {};
  index.fields.forEach((field, position) => {
    keyValue[field] = valueAt(document, index.paths[position]!);
  });
  const shown = Object.entries(keyValue).map(([field, value]) => `${field}: ${show(value)}`);
  return new MongoError(
    'DuplicateKey',
    `E11000 duplicate key error collection: ${namespace} index: ${index.name} dup key: { ${shown.join(', ')} }`,
    { keyPattern: index.record.spec.key, keyValue },
  );
}

function valueAt(document: Document, path: string[]): Value {
  let value: Value = document;
  for (const name of path) {
    if (Array.isArray(value) && !/^\d+$/.test(name))
      value = value.map((element) => (element as Document)?.[name] ?? null);
    else value = (value as Document | undefined)?.[name];
    if (value === undefined || value === null) return null;
  }
  return value;
}

function show(value: Value): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[ ${value.map(show).join(', ')} ]`;
  if (value instanceof ObjectId) return `ObjectId('${value.toHexString()}')`;
  if (value instanceof Binary) return `BinData(${value.sub_type}, ${Buffer.from(binaryBytes(value)).toString('hex')})`;
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (isDocument(value))
    return `{ ${fieldNames(value)
      .map((name) => `${name}: ${show(value[name])}`)
      .join(', ')} }`;
  return isNumber(value) || typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}
