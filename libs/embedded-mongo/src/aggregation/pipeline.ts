import { fieldNames } from '../bson/document';
import { type Document, isDocument, isNumber, type Value } from '../bson/value';
import { MongoError } from '../errors';
import { rootScope } from '../expression/expression';
import { documentStages } from './document-stages';
import { count, facet, limit, match, sample, skip, unwind } from './stages/flow';
import { bucket, group, sortByCount } from './stages/group';
import { graphLookup, lookup, unionWith } from './stages/join';
import { sort } from './stages/sort';
import {
  type CompiledPipeline,
  type CompileStage,
  eachDocument,
  type PipelineEnvironment,
  type Stage,
  type StageContext,
} from './stages/stage';
import { merge, out } from './stages/write';

const stages: Record<string, CompileStage> = {
  $match: match,
  $sort: sort,
  $limit: limit,
  $skip: skip,
  $count: count,
  $sample: sample,
  $unwind: unwind,
  $facet: facet,
  $group: group,
  $sortByCount: sortByCount,
  $bucket: bucket,
  $lookup: lookup,
  $graphLookup: graphLookup,
  $unionWith: unionWith,
  $out: out,
  $merge: merge,
};

/** Stages of MongoDB that this server does not support: refused by name, so that nobody searches for a typing error. */
const unsupported = new Set(
  '$bucketAuto $collStats $currentOp $densify $documents $fill $geoNear $indexStats $listLocalSessions $listSessions $planCacheStats $redact $search $searchMeta $setWindowFields $vectorSearch'.split(
    ' ',
  ),
);

/**
 * Checks and compiles a pipeline.
 * @throws 40324 for unknown stages, CommandNotSupported (115) for unsupported ones, and the errors of stages
 */
export function compilePipeline(pipeline: Value, environment: PipelineEnvironment = {}): CompiledPipeline {
  if (!Array.isArray(pipeline)) throw new MongoError('TypeMismatch', "'pipeline' option must be specified as an array");
  const steps = pipeline.map(stageParts);
  const writing = steps.findIndex(({ name }) => name === '$out' || name === '$merge');
  if (writing >= 0 && writing < steps.length - 1) {
    throw new MongoError(40601, `${steps[writing]?.name} can only be the final stage in the pipeline`);
  }
  const compiled = steps.map(({ name, operand }, index) =>
    compileStage(name, operand, contextFor(environment, limitAfter(steps, index))),
  );
  return (input) => compiled.reduce((documents, stage) => stage(documents), input);
}

interface Step {
  name: string;
  operand: Value;
}

/** The name and operand of a stage. */
export function stageParts(stage: Value): Step {
  if (!isDocument(stage)) {
    throw new MongoError('TypeMismatch', "Each element of the 'pipeline' array must be an object");
  }
  const names = fieldNames(stage);
  if (names.length !== 1) {
    throw new MongoError(40323, 'A pipeline stage specification object must contain exactly one field.');
  }
  return { name: names[0] as string, operand: stage[names[0] as string] };
}

function compileStage(name: string, operand: Value, context: StageContext): Stage {
  if (Object.hasOwn(stages, name)) return (stages[name] as CompileStage)(operand, context, name);
  const compileDocument = Object.hasOwn(documentStages, name) ? documentStages[name] : undefined;
  if (compileDocument) {
    const change = compileDocument(operand, context.names, name);
    return eachDocument((document) => change(document, context.scope));
  }
  if (name === '$changeStream') {
    throw new MongoError(40573, 'The $changeStream stage is only supported on replica sets');
  }
  if (unsupported.has(name)) throw new MongoError('CommandNotSupported', `the stage ${name} is not supported`);
  throw new MongoError(40324, `Unrecognized pipeline stage name: '${name}'`);
}

function contextFor(environment: PipelineEnvironment, limitAhead: number | undefined): StageContext {
  return {
    ...environment,
    scope: rootScope(environment),
    names: Object.keys(environment.variables ?? {}),
    compilePipeline: (inner, changed) => compilePipeline(inner, { ...environment, ...changed }),
    limitAhead,
  };
}

/** A sort followed by a limit holds only that many. */
function limitAfter(steps: Step[], index: number): number | undefined {
  let skipped = 0;
  for (const { name, operand } of steps.slice(index + 1)) {
    if (!isNumber(operand)) return undefined;
    if (name === '$limit') return skipped + Number(operand);
    if (name !== '$skip') return undefined;
    skipped += Number(operand);
  }
  return undefined;
}

/** The beginning of a pipeline that a query can answer, possibly by an index. */
export interface LeadingQuery {
  filter: Document;
  sort?: Document;
  skip?: number;
  limit?: number;
  /** The stages that remain. */
  rest: readonly Value[];
}

/** Splits a pipeline into a query and the rest: `$match`, then `$sort`, `$skip` and `$limit`, each at most once. */
export function splitLeadingQuery(pipeline: readonly Value[]): LeadingQuery {
  const query: LeadingQuery = { filter: {}, rest: pipeline };
  let expected = 0;
  const order = ['$match', '$sort', '$skip', '$limit'];
  for (const [index, stage] of pipeline.entries()) {
    const { name, operand } = stageParts(stage);
    const place = order.indexOf(name);
    if (place < expected || !take(query, name, operand)) break;
    expected = place + 1;
    query.rest = pipeline.slice(index + 1);
  }
  return query;
}

function take(query: LeadingQuery, name: string, operand: Value): boolean {
  // Malformed stages stay in the rest, which refuses them.
  if (name === '$match' && isDocument(operand)) query.filter = operand;
  else if (name === '$sort' && isDocument(operand) && fieldNames(operand).length > 0) query.sort = operand;
  else if (name === '$skip' && isNumber(operand) && Number(operand) >= 0) query.skip = Number(operand);
  else if (name === '$limit' && isNumber(operand) && Number(operand) >= 1) query.limit = Number(operand);
  else return false;
  return true;
}
