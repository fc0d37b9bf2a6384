import { deserialize, serialize } from 'bson';
import type { Document } from './value';

/** Reads a document from its BSON bytes, numbers keeping their types. */
export function decodeDocument(bytes: Uint8Array): Document {
  return deserialize(bytes, { promoteValues: false, bsonRegExp: true, promoteBuffers: false }) as Document;
}

/** Writes a document as BSON bytes, fields in their order. */
export function encodeDocument(document: Document): Uint8Array {
  return serialize(document, { ignoreUndefined: false });
}

/** The document's field names in their order. */
export function fieldNames(document: Document): string[] {
  return Object.keys(document);
}

/** Sets a field: in its place when present, else at the end. */
export function setField(document: Document, name: string, value: Document[string]): void {
  document[name] = value;
}

export function removeField(document: Document, name: string): void {
  delete document[name];
}
