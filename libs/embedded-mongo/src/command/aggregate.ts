import { Int32 } from 'bson';
import { documentOf } from '../bson/document';
import { encodeDocument } from '../bson/encode';
import type { Document } from '../bson/value';
import { ListSource } from '../cursor/list-source';
import { PipelineRun, PipelineSource } from '../cursor/pipeline-source';
import { type OpenPart, UnionSource } from '../cursor/union-source';
import type { Engine } from '../engine/engine';
import { MongoError } from '../errors';
import type { Budget } from '../plan/budget';
import { Execution } from '../plan/execution';
import { planQuery, type Query } from '../plan/plan-query';
import type { Collection } from '../storage/collection';
import { flag, optionalDocument, optionalInteger } from './arguments';
import type { Call, Command } from './command';
import { countMatches } from './count';
import { asCountPipeline, type CountPipeline } from './count-pipeline';
import { explainPipeline } from './explain';
import { DEFAULT_BATCH, firstBatch } from './find';
import { asPlainUnion, type UnionPart } from './plain-union';
import { type Pipeline, pipelineOf, runPipeline, writes } from './run-pipeline';

/** @see https://www.mongodb.com/docs/manual/reference/command/aggregate/ */
export const aggregate: Command = {
  name: 'aggregate',
  arguments: ['pipeline', 'cursor', 'explain', 'allowDiskUse', 'bypassDocumentValidation', 'collation', 'hint', 'let'],
  async run(call) {
    const { engine, body, budget } = call;
    const pipeline = pipelineOf(call.body, call.database);
    if (flag(body.explain, 'explain')) return explainPipeline(call, pipeline, 'queryPlanner');
    const cursor = optionalDocument(body.cursor, 'cursor');
    if (!cursor) {
      throw new MongoError(
        'FailedToParse',
        "The 'cursor' option is required, except for aggregate with the explain argument",
      );
    }
    const batchSize = optionalInteger(cursor.batchSize, 'batchSize') ?? DEFAULT_BATCH;
    const namespace = `${pipeline.database}.${pipeline.collection ?? '$cmd.aggregate'}`;
    const counted = pipeline.collection === undefined ? undefined : asCountPipeline(pipeline.stages as Document[]);
    if (counted) {
      const { collation, hint, variables } = pipeline;
      const collection = engine.catalog.find(namespace) ?? engine.emptyCollection(namespace);
      const documents = await countDocuments(engine, collection, { ...counted, collation, hint, variables }, budget);
      return firstBatch(call, namespace, new ListSource(documents.map(encodeDocument)), batchSize);
    }
    const parts = asPlainUnion(pipeline);
    if (parts) {
      const source = new UnionSource(parts.map((part) => openerOf(call, pipeline, part)));
      return firstBatch(call, namespace, source, batchSize);
    }
    const run = new PipelineRun(engine, optionalDocument(body.lsid, 'lsid'));
    run.budget = budget;
    const source = new PipelineSource(run, runPipeline(engine, run, pipeline));
    // Writing stages run immediately, not when the empty result is read.
    return firstBatch(call, namespace, source, writes(pipeline) ? 1 : batchSize);
  },
};

/** Plans at once, so that a wrong query is refused before any part is read. */
function openerOf({ engine }: Call, { database, collation }: Pipeline, part: UnionPart): OpenPart {
  const namespace = `${database}.${part.collection}`;
  const collection = engine.catalog.find(namespace) ?? engine.emptyCollection(namespace);
  const { count, shape } = part;
  if (count) {
    return async (budget) => {
      const counted = await countDocuments(engine, collection, { ...count, collation }, budget);
      return counted.map((document) => (shape ?? asIs)(encodeDocument(document)));
    };
  }
  const { plan } = planQuery(engine, collection, part.query);
  return async (budget) => new Execution(engine.store, plan, budget, shape);
}

const asIs = (bytes: Buffer): Buffer => bytes;

async function countDocuments(
  engine: Engine,
  collection: Collection,
  { skip, limit, groupId, field, ...query }: CountPipeline & Pick<Query, 'hint' | 'collation' | 'variables'>,
  budget: Budget,
): Promise<Document[]> {
  const all = await countMatches(engine, collection, query, budget, skip + limit);
  const counted = Math.min(Math.max(all - skip, 0), limit);
  if (counted === 0) return [];
  return [
    documentOf([
      ['_id', groupId],
      [field, new Int32(counted)],
    ]),
  ];
}
