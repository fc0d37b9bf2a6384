import { compilePipeline, splitLeadingQuery } from '../aggregation/pipeline';
import type { Batches, PipelineEnvironment } from '../aggregation/stage';
import { parseCollation } from '../bson/collation';
import type { Document, Value } from '../bson/value';
import type { PipelineRun } from '../cursor/pipeline-source';
import type { Engine } from '../engine';
import { MongoError } from '../errors';
import { planQuery, type Query } from '../plan/plan-query';
import { StoredPipelineWriter } from '../write/write-pipeline';
import { documentList, optionalDocument } from './arguments';
import { hintOf } from './find';
import { letVariables } from './let-variables';

export interface Pipeline {
  database: string;
  collection: string;
  stages: readonly Value[];
  collation?: Document;
  hint?: Value;
  variables?: Record<string, Value>;
}

/** The pipeline that the arguments of `aggregate` state; `explain` reads them too. */
export function pipelineOf(body: Document, database: string): Pipeline {
  const stages = documentList(body.pipeline, 'pipeline');
  if (typeof body.aggregate !== 'string') {
    compilePipeline(stages as Value);
    throw new MongoError('InvalidNamespace', '{aggregate: 1} is not valid for these stages; a collection is required.');
  }
  return {
    database,
    collection: body.aggregate,
    stages,
    collation: optionalDocument(body.collation, 'collation'),
    hint: hintOf(body.hint),
    variables: letVariables(body.let),
  };
}

/** Whether the pipeline ends in a collection instead of giving documents. */
export function writes({ stages }: Pipeline): boolean {
  const last = (stages.at(-1) ?? {}) as Document;
  return '$out' in last || '$merge' in last;
}

/** What the first stages ask of the collection, answered by a plan like any query; the rest works on what comes of it. */
export function leadingQuery({ stages, collation, hint, variables }: Pipeline): {
  query: Query;
  rest: readonly Value[];
} {
  const { filter, sort, skip, limit, rest } = splitLeadingQuery(stages);
  return { query: { filter, sort, skip, limit, collation, hint, variables }, rest };
}

/** Checks a pipeline whole, then runs it as its result is read. */
export function runPipeline(engine: Engine, run: PipelineRun, pipeline: Pipeline): Batches {
  const { query, rest } = leadingQuery(pipeline);
  const namespace = `${pipeline.database}.${pipeline.collection}`;
  const collection = engine.catalog.find(namespace) ?? engine.emptyCollection(namespace);
  const compiled = compilePipeline(rest as Value, environmentOf(engine, run, pipeline));
  const { plan } = planQuery(engine, collection, query);
  return compiled(run.read(plan));
}

function environmentOf(engine: Engine, run: PipelineRun, pipeline: Pipeline): PipelineEnvironment {
  const { database, collation, variables } = pipeline;
  return {
    collation: parseCollation(collation),
    variables,
    now: new Date(),
    maxBytes: engine.options.sortMemoryBytes,
    aggregate: (collection, stages, inner) =>
      runPipeline(engine, run, { database, collection, stages, collation, variables: inner }),
    writer: new StoredPipelineWriter(engine, database),
  };
}
