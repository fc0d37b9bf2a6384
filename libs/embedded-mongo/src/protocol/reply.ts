import { encodeDocument } from '../bson/encode';
import type { Document } from '../bson/value';

/** What a command answers with: a document, or BSON in parts where stored documents are passed through as they are. */
export type Reply = Document | RawReply;

export class RawReply {
  constructor(readonly parts: Buffer[]) {}
}

export function replyParts(reply: Reply): Buffer[] {
  return reply instanceof RawReply ? reply.parts : [encodeDocument(reply)];
}

const TYPE_DOCUMENT = 3;
const END = Buffer.of(0);

const elementHeads: Buffer[] = [];

/** Type and name of an array's element at `position`. */
function elementHead(position: number): Buffer {
  const known = elementHeads[position];
  if (known) return known;
  const head = Buffer.from(`${String.fromCharCode(TYPE_DOCUMENT)}${position}\0`, 'latin1');
  elementHeads[position] = head;
  return head;
}

/**
 * The reply of `find`, `aggregate` and `getMore`, around documents that are BSON already:
 * `{cursor: {<batch>: [...], id, ns}, ok: 1}`.
 */
export function cursorReply(
  batch: 'firstBatch' | 'nextBatch',
  documents: Buffer[],
  id: bigint,
  namespace: string,
): RawReply {
  let arrayBytes = 4 + 1;
  const parts: Buffer[] = [END];
  for (let position = 0; position < documents.length; position++) {
    const head = elementHead(position);
    const document = documents[position]!;
    arrayBytes += head.length + document.length;
    parts.push(head, document);
  }
  const cursorTail = Buffer.from(`\0\x12id\0________\x02ns\0____${namespace}\0\0`, 'utf8');
  cursorTail.writeBigInt64LE(id, 5);
  cursorTail.writeInt32LE(Buffer.byteLength(namespace) + 1, 17);
  const arrayHead = 1 + batch.length + 1;
  const cursorBytes = 4 + arrayHead + arrayBytes + cursorTail.length - 1;
  const okTail = Buffer.from('\x01ok\0________\0', 'latin1');
  okTail.writeDoubleLE(1, 4);
  const headText = `____\x03cursor\0____\x04${batch}\0____`;
  const head = Buffer.from(headText, 'latin1');
  head.writeInt32LE(4 + 8 + cursorBytes + okTail.length, 0);
  head.writeInt32LE(cursorBytes, 12);
  head.writeInt32LE(arrayBytes, 12 + 4 + arrayHead);
  parts[0] = head;
  parts.push(cursorTail, okTail);
  return new RawReply(parts);
}
