import { compilePipeline, splitLeadingQuery } from '../aggregation/pipeline';
import { type Batches, batchesOf, type PipelineEnvironment } from '../aggregation/stages/stage';
import { parseCollation } from '../bson/collation';
import { type Document, isDocument, type Value } from '../bson/value';
import type { PipelineRun } from '../cursor/pipeline-source';
import type { Engine } from '../engine/engine';
import { MongoError } from '../errors';
import { compileExpression, rootScope } from '../expression/expression';
import { planQuery, type Query } from '../plan/plan-query';
import { StoredPipelineWriter } from '../write/write-pipeline';
import { documentList, flag, optionalDocument } from './arguments';
import { hintOf } from './find';
import { letVariables } from './let-variables';

export interface Pipeline {
  database: string;
  /** Absent if the first stage has its own documents. */
  collection: string | undefined;
  stages: readonly Value[];
  collation?: Document | undefined;
  hint?: Value | undefined;
  variables?: Record<string, Value> | undefined;
  /** Whether stages may use the disk beyond their memory. */
  allowDiskUse: boolean;
  /** Whether `$out` and `$merge` pass over validators. */
  bypassValidation: boolean;
}

/** The pipeline that the arguments of `aggregate` state; `explain` reads them too. */
export function pipelineOf(body: Document, database: string): Pipeline {
  const stages = documentList(body.pipeline, 'pipeline');
  return {
    database,
    collection: typeof body.aggregate === 'string' ? body.aggregate : undefined,
    stages,
    collation: optionalDocument(body.collation, 'collation'),
    hint: hintOf(body.hint),
    variables: letVariables(body.let),
    allowDiskUse: body.allowDiskUse === undefined || flag(body.allowDiskUse, 'allowDiskUse'),
    bypassValidation: flag(body.bypassDocumentValidation, 'bypassDocumentValidation'),
  };
}

/** Whether the pipeline ends in a collection instead of giving documents. */
export function writes({ stages }: Pipeline): boolean {
  const last = (stages.at(-1) ?? {}) as Document;
  return '$out' in last || '$merge' in last;
}

/** The query of the first stages, which a plan answers like any query; the rest processes its result. */
export function leadingQuery({ stages, ...options }: Pipeline): {
  query: Query;
  rest: readonly Value[];
} {
  const { filter, sort, skip, limit, rest } = splitLeadingQuery(stages);
  const { collation, hint, variables, allowDiskUse } = options;
  return { query: { filter, sort, skip, limit, collation, hint, variables, allowDiskUse }, rest };
}

/** Checks a pipeline whole, then runs it as its result is read. */
export function runPipeline(engine: Engine, run: PipelineRun, pipeline: Pipeline): Batches {
  if (pipeline.collection === undefined) return runOnOwnDocuments(engine, run, pipeline);
  const { query, rest } = leadingQuery(pipeline);
  const compiled = compilePipeline(rest as Value, environmentOf(engine, run, pipeline));
  const namespace = `${pipeline.database}.${pipeline.collection}`;
  const collection = engine.catalog.find(namespace) ?? engine.emptyCollection(namespace);
  const { plan } = planQuery(engine, collection, query);
  return compiled(run.read(plan));
}

/** `{aggregate: 1}`: the first stage provides the documents. */
function runOnOwnDocuments(engine: Engine, run: PipelineRun, pipeline: Pipeline): Batches {
  const [first, ...rest] = pipeline.stages as Document[];
  const environment = environmentOf(engine, run, pipeline);
  const documents = first && ownDocuments(first, run);
  if (documents) return compilePipeline(rest as Value, environment)(batchesOf(documents));
  compilePipeline(pipeline.stages as Value, environment);
  throw new MongoError('InvalidNamespace', '{aggregate: 1} is not valid for these stages; a collection is required.');
}

function ownDocuments(stage: Document, { session }: PipelineRun): Document[] | undefined {
  if ('$listLocalSessions' in stage) return session ? [{ _id: session, lastUse: new Date() }] : [];
  if (!('$documents' in stage)) return undefined;
  const documents = compileExpression(stage.$documents)({}, rootScope());
  if (Array.isArray(documents) && documents.every(isDocument)) return documents as Document[];
  throw new MongoError(5858203, 'an array is expected for $documents');
}

function environmentOf(engine: Engine, run: PipelineRun, pipeline: Pipeline): PipelineEnvironment {
  const { database, collation, variables, allowDiskUse } = pipeline;
  return {
    collation: parseCollation(collation),
    variables,
    now: new Date(),
    maxBytes: engine.options.sortMemoryBytes,
    openScratch: allowDiskUse ? engine.openScratch : undefined,
    takeTurn: () => run.takeTurn(),
    aggregate: (collection, stages, inner) =>
      runPipeline(engine, run, { ...pipeline, collection, stages, hint: undefined, variables: inner }),
    writer: new StoredPipelineWriter(engine, database, pipeline.bypassValidation),
  };
}
