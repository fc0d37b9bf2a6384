import { fieldCopier } from '../bson/copy-fields';
import { decodeDocument, decodeFields } from '../bson/decode';
import { encodeDocument } from '../bson/encode';
import type { Document, Value } from '../bson/value';
import type { Source } from '../cursor/cursor-table';
import { QuerySource } from '../cursor/query-source';
import { MongoError } from '../errors';
import { Execution, type Shape } from '../plan/execution';
import { type PlannedQuery, planQuery, type Query } from '../plan/plan-query';
import { cursorReply, type RawReply } from '../protocol/reply';
import { BATCH_BYTES, MAX_DOCUMENT_BYTES } from '../protocol/wire';
import { compileProjection } from '../query/projection';
import { flag, namespaceOf, optionalDocument, optionalInteger, refuseIfSet } from './arguments';
import type { Call, Command } from './command';
import { letVariables } from './let-variables';

/** Documents of a first batch when the caller names no size. */
export const DEFAULT_BATCH = 101;

/** @see https://www.mongodb.com/docs/manual/reference/command/find/ */
export const find: Command = {
  name: 'find',
  arguments: [
    'filter',
    'sort',
    'projection',
    'hint',
    'skip',
    'limit',
    'batchSize',
    'singleBatch',
    'max',
    'min',
    'returnKey',
    'showRecordId',
    'tailable',
    'awaitData',
    'oplogReplay',
    'noCursorTimeout',
    'allowPartialResults',
    'allowDiskUse',
    'collation',
    'let',
  ],
  async run(call) {
    const { body } = call;
    const namespace = namespaceOf(call);
    refuseIfSet(body, 'max', 'min', 'returnKey', 'showRecordId');
    if (flag(body.tailable, 'tailable'))
      throw new MongoError('BadValue', 'error processing query: tailable cursor requested on non capped collection');
    if (flag(body.awaitData, 'awaitData'))
      throw new MongoError('FailedToParse', 'Cannot set awaitData without tailable');
    const batchSize = optionalInteger(body.batchSize, 'batchSize') ?? DEFAULT_BATCH;
    const isSingle = flag(body.singleBatch, 'singleBatch');
    // Without a cursor the first batch must contain everything.
    const source = openQuery(call, namespace, queryOf(call), isSingle ? MAX_DOCUMENT_BYTES : BATCH_BYTES);
    return firstBatch(call, namespace, source, batchSize, {
      isSingle,
      noTimeout: flag(body.noCursorTimeout, 'noCursorTimeout'),
    });
  },
};

/** The query in the arguments of `find`; also used by `explain`. */
export function queryOf({ body }: Pick<Call, 'body'>): Query & { projection?: Document | undefined } {
  return {
    filter: optionalDocument(body.filter, 'filter') ?? {},
    sort: optionalDocument(body.sort, 'sort'),
    projection: optionalDocument(body.projection, 'projection'),
    skip: optionalInteger(body.skip, 'skip'),
    limit: optionalInteger(body.limit, 'limit'),
    hint: hintOf(body.hint),
    collation: optionalDocument(body.collation, 'collation'),
    variables: letVariables(body.let),
    allowDiskUse: body.allowDiskUse === undefined || flag(body.allowDiskUse, 'allowDiskUse'),
  };
}

/** Drivers send an empty document for no hint. */
export function hintOf(hint: Value): Value {
  const isEmpty = typeof hint === 'object' && hint !== null && Object.keys(hint).length === 0;
  return isEmpty || hint === null ? undefined : hint;
}

function openQuery(
  { engine, budget }: Call,
  namespace: string,
  query: Query & { projection?: Document | undefined },
  batchBytes: number,
): Source {
  const collection = engine.catalog.find(namespace) ?? engine.emptyCollection(namespace);
  const planned = planQuery(engine, collection, query);
  return new QuerySource(new Execution(engine.store, planned.plan, budget, shapeOf(planned, query)), batchBytes);
}

/** The projection of stored bytes: only the fields it reads are decoded. Undefined if they are returned unchanged. */
function shapeOf(
  { matcher, collation }: PlannedQuery,
  query: Query & { projection?: Document | undefined },
): Shape | undefined {
  const { projection: spec, variables } = query;
  const projection = spec && compileProjection(spec, { collation, variables });
  if (!projection) return undefined;
  const { neededFields: fields, wholeFields: whole, needsPosition } = projection;
  if (whole) return fieldCopier(whole.names, whole.keeps);
  if (!needsPosition) {
    return (bytes) => encodeDocument(projection.apply(fields ? decodeFields(bytes, fields) : decodeDocument(bytes)));
  }
  return (bytes) => {
    const document = decodeDocument(bytes);
    return encodeDocument(projection.apply(document, matcher.matchedPosition(document)));
  };
}

export interface BatchOptions {
  isSingle?: boolean;
  noTimeout?: boolean;
}

/** Reads the first batch of a source and opens a cursor for the rest. */
export async function firstBatch(
  { server, budget }: Call,
  namespace: string,
  source: Source,
  batchSize: number,
  { isSingle, noTimeout }: BatchOptions = {},
): Promise<RawReply> {
  let id = 0n;
  try {
    const { documents, isDone } = await source.nextBatch(batchSize, budget);
    if (!isDone && !isSingle) id = server.cursors.open(namespace, source, noTimeout);
    return cursorReply('firstBatch', documents, id, namespace);
  } finally {
    if (id === 0n) source.close();
  }
}
