import { frame, OpCode, ProtocolError } from './wire';

/** The legacy OP_QUERY: drivers open every connection with one, to learn whether OP_MSG is spoken. */
export interface OpQuery {
  /** `database.$cmd` for a command. */
  namespace: string;
  query: Buffer;
}

/** @throws ProtocolError on anything malformed */
export function parseOpQuery(body: Buffer): OpQuery {
  const nameEnd = body.indexOf(0, 4);
  if (nameEnd < 0) throw new ProtocolError('OP_QUERY without a collection name');
  const queryStart = nameEnd + 1 + 8;
  if (queryStart + 5 > body.length) throw new ProtocolError('OP_QUERY without a query');
  const length = body.readInt32LE(queryStart);
  if (length < 5 || queryStart + length > body.length) throw new ProtocolError('OP_QUERY query is out of bounds');
  return {
    namespace: body.toString('utf8', 4, nameEnd),
    query: body.subarray(queryStart, queryStart + length),
  };
}

/** Flags (0), cursor id (0), starting from (0), one document. */
const REPLY_PREFIX = Buffer.alloc(20);
REPLY_PREFIX.writeInt32LE(1, 16);

/** An OP_REPLY with one document, given in parts. */
export function frameOpReply(requestId: number, responseTo: number, document: Buffer[]): Buffer {
  return frame(OpCode.Reply, requestId, responseTo, [REPLY_PREFIX, ...document]);
}
