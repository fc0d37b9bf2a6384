import { splitLeadingQuery } from '../aggregation/pipeline';
import { fieldCopier } from '../bson/copy-fields';
import { documentOf, fieldNames } from '../bson/document';
import { encodeDocument } from '../bson/encode';
import { type Document, isDocument, isNumber, type Value } from '../bson/value';
import { wrapper } from '../bson/wrap-document';
import type { Shape } from '../plan/execution';
import type { Query } from '../plan/plan-query';
import { compileProjection } from '../query/projection';
import { asCountPipeline, type CountPipeline } from './count-pipeline';
import type { Pipeline } from './run-pipeline';

/** One part of a union: what it reads of its collection, and the form of its documents. */
export type UnionPart = { collection: string; shape: Shape | undefined } & (
  | { query: Query; count?: undefined }
  | { count: CountPipeline; query?: undefined }
);

/**
 * Recognises a pipeline of queries and counts that `$unionWith` joins. Each query may select whole fields, and may put
 * each document into another one (`{$replaceWith: {of: {$literal: 1}, document: '$$ROOT'}}`). The server can then copy
 * the stored bytes and does not decode them.
 * @returns undefined for all other pipelines, also for invalid ones
 */
export function asPlainUnion({ collection, stages, variables, hint, ...options }: Pipeline): UnionPart[] | undefined {
  if (collection === undefined || variables || hint !== undefined) return undefined;
  const end = stages.findIndex((stage) => unionOf(stage));
  if (end < 0) return undefined;
  const first = partOf(collection, stages.slice(0, end), options);
  const others = stages.slice(end).map((stage) => {
    const union = unionOf(stage);
    return union && partOf(union.coll, union.pipeline, options);
  });
  const parts = [first, ...others];
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

function unionOf(stage: Value): { coll: string; pipeline: readonly Value[] } | undefined {
  const operand = onlyFieldOf(stage as Document, '$unionWith');
  if (!isDocument(operand) || fieldNames(operand).join() !== 'coll,pipeline') return undefined;
  const { coll, pipeline } = operand;
  if (typeof coll !== 'string' || !Array.isArray(pipeline) || !pipeline.every(isDocument)) return undefined;
  return { coll, pipeline };
}

const onlyFieldOf = (document: Document | undefined, name: string): Value =>
  document && fieldNames(document).join() === name ? document[name] : undefined;

type Options = Pick<Query, 'collation' | 'allowDiskUse'>;

function partOf(collection: string, stages: readonly Value[], options: Options): UnionPart | undefined {
  const { rest, wrap } = splitWrap(stages as readonly Document[]);
  const count = asCountPipeline(rest);
  if (count) return { collection, count, shape: wrap };
  const { rest: projections, ...query } = splitLeadingQuery(rest);
  const copy = copierOf(projections as readonly Document[]);
  if (!copy) return undefined;
  const shape = copy === 'whole' ? wrap : wrap ? (bytes: Buffer) => wrap(copy(bytes)) : copy;
  return { collection, query: { ...query, ...options }, shape };
}

/** The last stage, if it puts each document into another. */
function splitWrap(stages: readonly Document[]): { rest: readonly Document[]; wrap: Shape | undefined } {
  const operand = onlyFieldOf(stages.at(-1), '$replaceWith');
  const wrap = isDocument(operand) ? wrapOf(operand) : undefined;
  return wrap ? { rest: stages.slice(0, -1), wrap } : { rest: stages, wrap };
}

function wrapOf(operand: Document): Shape | undefined {
  const fields: [string, Buffer | undefined][] = [];
  for (const name of fieldNames(operand)) {
    const value = operand[name];
    if (name.includes('.') || name.startsWith('$')) return undefined;
    if (value === '$$ROOT') fields.push([name, undefined]);
    else if (isDocument(value) && fieldNames(value).join() === '$literal')
      fields.push([name, encodeDocument(documentOf([[name, value.$literal]]))]);
    else return undefined;
  }
  return wrapper(fields);
}

/** What is left of a query's pipeline must be one projection of whole fields. */
function copierOf([stage, ...others]: readonly Document[]): Shape | 'whole' | undefined {
  if (!stage) return 'whole';
  if (others.length > 0 || !isDocument(stage.$project) || Object.keys(stage).length !== 1) return undefined;
  const whole = Object.values(stage.$project).every(isFlag)
    ? compileProjection(stage.$project)?.wholeFields
    : undefined;
  return whole && fieldCopier(whole.names, whole.keeps);
}

/** Other values may be expressions. */
const isFlag = (value: Value): boolean =>
  typeof value === 'boolean' || (isNumber(value) && [0, 1].includes(Number(value)));
