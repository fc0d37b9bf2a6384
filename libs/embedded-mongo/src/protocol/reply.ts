import { encodeDocument } from '../bson/encode';
import type { Document } from '../bson/value';

/** The answer of a command: a document, or BSON in parts if stored documents are passed on unchanged. */
export type Reply = Document | RawReply;

export class RawReply {
  constructor(readonly parts: Buffer[]) {}
}

export function replyParts(reply: Reply): Buffer[] {
  return reply instanceof RawReply ? reply.parts : [encodeDocument(reply)];
}

const TYPE_DOCUMENT = 3;

const elementHeads: Buffer[] = [];

/** Type and name of an array's element at `position`. */
function elementHead(position: number): Buffer {
  const known = elementHeads[position];
  if (known) return known;
  const head = Buffer.from(`${String.fromCharCode(TYPE_DOCUMENT)}${position}\0`, 'latin1');
  elementHeads[position] = head;
  return head;
}

type Batch = 'firstBatch' | 'nextBatch';

/** The bytes before the documents of a batch, with empty lengths. */
const heads = { firstBatch: headOf('firstBatch'), nextBatch: headOf('nextBatch') };

function headOf(batch: Batch): Buffer {
  return Buffer.from(`____\x03cursor\0____\x04${batch}\0____`, 'latin1');
}

const HEAD_CURSOR = 4 + 1 + 'cursor'.length + 1;
const OK = Buffer.from('\x01ok\0\0\0\0\0\0\0\xf0\x3f\0', 'latin1');
const MAX_TAILS = 1000;
const tails = new Map<string, Buffer>();

/** The bytes after the documents, with a cursor id of 0: the same for every complete result of a collection. */
function tailOf(namespace: string): Buffer {
  const known = tails.get(namespace);
  if (known) return known;
  const text = Buffer.from(`\0\x12id\0\0\0\0\0\0\0\0\0\x02ns\0____${namespace}\0\0`, 'utf8');
  text.writeInt32LE(Buffer.byteLength(namespace) + 1, TAIL_NAMESPACE);
  const tail = Buffer.concat([text, OK]);
  if (tails.size >= MAX_TAILS) tails.clear();
  tails.set(namespace, tail);
  return tail;
}

const TAIL_ID = 5;
const TAIL_NAMESPACE = TAIL_ID + 8 + 4;

function withId(tail: Buffer, id: bigint): Buffer {
  if (id === 0n) return tail;
  const copy = Buffer.from(tail);
  copy.writeBigInt64LE(id, TAIL_ID);
  return copy;
}

/**
 * The reply of `find`, `aggregate` and `getMore`, around encoded documents: `{cursor: {<batch>: [...], id, ns}, ok:
 * 1}`.
 */
export function cursorReply(batch: Batch, documents: Buffer[], id: bigint, namespace: string): RawReply {
  const head = Buffer.from(heads[batch]);
  const tail = withId(tailOf(namespace), id);
  const parts: Buffer[] = [head];
  let documentBytes = 0;
  for (let position = 0; position < documents.length; position++) {
    const name = elementHead(position);
    const document = documents[position]!;
    documentBytes += name.length + document.length;
    parts.push(name, document);
  }
  parts.push(tail);
  const all = head.length + documentBytes + tail.length;
  head.writeInt32LE(all, 0);
  head.writeInt32LE(all - HEAD_CURSOR - OK.length, HEAD_CURSOR);
  head.writeInt32LE(4 + documentBytes + 1, head.length - 4);
  return new RawReply(parts);
}
