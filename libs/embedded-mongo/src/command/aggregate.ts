import { Int32 } from 'bson';
import { documentOf } from '../bson/document';
import { encodeDocument } from '../bson/encode';
import type { Document } from '../bson/value';
import { ListSource } from '../cursor/list-source';
import { PipelineRun, PipelineSource } from '../cursor/pipeline-source';
import { MongoError } from '../errors';
import { flag, optionalDocument, optionalInteger } from './arguments';
import type { Call, Command } from './command';
import { countMatches } from './count';
import { asCountPipeline, type CountPipeline } from './count-pipeline';
import { explainPipeline } from './explain';
import { DEFAULT_BATCH, firstBatch, hintOf } from './find';
import { letVariables } from './let-variables';
import { pipelineOf, runPipeline, writes } from './run-pipeline';

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
      const documents = await countDocuments(call, namespace, counted);
      return firstBatch(call, namespace, new ListSource(documents.map(encodeDocument)), batchSize);
    }
    const run = new PipelineRun(engine, optionalDocument(body.lsid, 'lsid'));
    run.budget = budget;
    const source = new PipelineSource(run, runPipeline(engine, run, pipeline));
    // Writing stages run immediately, not when the empty result is read.
    return firstBatch(call, namespace, source, writes(pipeline) ? 1 : batchSize);
  },
};

async function countDocuments(
  call: Call,
  namespace: string,
  { filter, skip, limit, groupId, field }: CountPipeline,
): Promise<Document[]> {
  const { engine, body, budget } = call;
  const collection = engine.catalog.find(namespace) ?? engine.emptyCollection(namespace);
  const query = {
    filter,
    hint: hintOf(body.hint),
    collation: optionalDocument(body.collation, 'collation'),
    variables: letVariables(body.let),
  };
  const all = await countMatches(engine, collection, query, budget, skip + limit);
  const counted = Math.min(Math.max(all - skip, 0), limit);
  return counted === 0
    ? []
    : [
        documentOf([
          ['_id', groupId],
          [field, new Int32(counted)],
        ]),
      ];
}
