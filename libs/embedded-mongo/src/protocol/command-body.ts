import { BSON } from 'bson';
import { decodeDocument } from '../bson/decode';
import type { Document } from '../bson/value';
import { MongoError } from '../errors';
import type { OpMsg } from './op-msg';

/** A command as it was sent: arguments read, documents to be stored still bytes. */
export interface CommandBody {
  body: Document;
  /** By the name of their array, whether they were beside the command or in it. */
  sequences: ReadonlyMap<string, Buffer[]>;
}

const INSERT = Buffer.from('insert\0');
const TYPE_DOCUMENT = 3;
const TYPE_ARRAY = 4;

/** @throws InvalidBSON (22) */
export function readBody({ body, sequences }: OpMsg): CommandBody {
  const isInsert = INSERT.compare(body, 5, 5 + INSERT.length) === 0;
  if (!isInsert || sequences.has('documents')) return { body: decodeDocument(body), sequences };
  return withDocumentsApart(body, sequences);
}

/** Inserted documents are stored unchanged, so they are cut out of the command instead of being decoded with it. */
function withDocumentsApart(body: Buffer, sequences: ReadonlyMap<string, Buffer[]>): CommandBody {
  for (const [type, nameOffset, nameLength, offset, length] of BSON.onDemand.parseToElements(body)) {
    if (type !== TYPE_ARRAY || body.toString('latin1', nameOffset, nameOffset + nameLength) !== 'documents') continue;
    const rest = Buffer.concat([body.subarray(0, nameOffset - 1), body.subarray(offset + length)]);
    rest.writeInt32LE(rest.length, 0);
    const array = body.subarray(offset, offset + length);
    const documents = [...BSON.onDemand.parseToElements(array)].map(([kind, , , start, size]) => {
      if (kind !== TYPE_DOCUMENT)
        throw new MongoError('TypeMismatch', "BSON field 'insert.documents' is the wrong type, expected type 'object'");
      return array.subarray(start, start + size);
    });
    return { body: decodeDocument(rest), sequences: new Map([...sequences, ['documents', documents]]) };
  }
  return { body: decodeDocument(body), sequences };
}
