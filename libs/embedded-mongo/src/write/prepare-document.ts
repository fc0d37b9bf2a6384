import { ObjectId } from 'bson';
import { decodeDocument } from '../bson/decode';
import { documentOf, fieldNames, hasField } from '../bson/document';
import { encodeDocument } from '../bson/encode';
import type { Document, Value } from '../bson/value';
import { MongoError } from '../errors';
import { MAX_DOCUMENT_BYTES } from '../protocol/wire';
import { checkId } from '../update/check-id';

/** A document to store: its bytes, `_id` first, and decoded. */
export interface Prepared {
  stored: Uint8Array;
  document: Document;
}

const ID_FIRST = Buffer.from('_id\0');

/**
 * Checks a caller's new document. The bytes are unchanged if `_id` is already first.
 * @throws InvalidBSON (22), BSONObjectTooLarge (10334), InvalidIdField (53)
 */
export function prepareDocument(bytes: Uint8Array): Prepared {
  requireStorable(bytes.length);
  const document = decodeDocument(bytes);
  if (!hasField(document, '_id')) return withIdFirst(document, new ObjectId());
  checkId(document._id);
  if (ID_FIRST.compare(bytes, 5, 9) !== 0) return withIdFirst(document, document._id);
  return { stored: bytes, document };
}

/** Like `prepareDocument`, for the result of an update. */
export function prepareUpdated(document: Document): Prepared {
  const stored = encodeDocument(document);
  requireStorable(stored.length);
  return { stored, document };
}

function withIdFirst(given: Document, id: Value): Prepared {
  const others = fieldNames(given).filter((name) => name !== '_id');
  const document = documentOf([['_id', id], ...others.map((name) => [name, given[name]] as const)]);
  const stored = encodeDocument(document);
  requireStorable(stored.length);
  return { stored, document };
}

function requireStorable(bytes: number): void {
  if (bytes > MAX_DOCUMENT_BYTES) {
    throw new MongoError(
      'BSONObjectTooLarge',
      `object to insert too large. size in bytes: ${bytes}, max size: ${MAX_DOCUMENT_BYTES}`,
    );
  }
}
