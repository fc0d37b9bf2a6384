import { documentOf } from '../bson/document';
import type { Bound } from '../bson/index-key';
import { type Document, Rank, rankOf, type Value } from '../bson/value';
import { display } from '../update/draft';
import type { AccessPath, IndexPath, Intervals } from './access-path';
import type { Execution } from './execution';
import type { PlannedQuery, Query } from './plan-query';

/** The counts of an executed query. */
export interface Measured {
  execution: Execution;
  returned: number;
  milliseconds: number;
}

/** The tree of stages in the form of MongoDB's explain, root first; with counts if the query was executed. */
export function stagesOf(
  { plan }: PlannedQuery,
  query: Query & { projection?: Document | undefined },
  measured?: Measured,
): Document {
  let tree = accessStage(plan.path, plan.matcher ? query.filter : undefined, measured);
  if (plan.sorter) {
    tree = above('SORT', tree, measured, { sortPattern: query.sort ?? {}, type: 'simple', memLimit: undefined });
  }
  if (plan.skip > 0) tree = above('SKIP', tree, measured, { skipAmount: plan.skip });
  if (Number.isFinite(plan.limit)) tree = above('LIMIT', tree, measured, { limitAmount: plan.limit });
  if (query.projection && Object.keys(query.projection).length > 0) {
    tree = above('PROJECTION_DEFAULT', tree, measured, { transformBy: query.projection });
  }
  return tree;
}

/** A stage above another; its counts are those of the whole query so far. */
export function above(
  stage: string,
  inputStage: Document,
  measured: Measured | undefined,
  facts: Document = {},
): Document {
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  return { stage, ...counts(measured), ...Object.fromEntries(known), inputStage };
}

function counts(measured: Measured | undefined): Document {
  return measured ? { nReturned: measured.returned } : {};
}

function accessStage(path: AccessPath, filter: Document | undefined, measured: Measured | undefined): Document {
  const examined = measured ? { docsExamined: measured.execution.docsExamined } : {};
  const shown = filter && Object.keys(filter).length > 0 ? { filter } : {};
  switch (path.stage) {
    case 'EOF':
      return { stage: 'EOF', ...counts(measured) };
    case 'COLLSCAN':
      return {
        stage: 'COLLSCAN',
        ...counts(measured),
        ...shown,
        ...examined,
        direction: path.reverse ? 'backward' : 'forward',
      };
    case 'OR':
      return {
        ...fetch(shown, measured),
        inputStage: { stage: 'OR', inputStages: path.branches.map((branch) => indexStage(branch)) },
      };
    case 'IXSCAN':
      return {
        ...fetch(shown, measured),
        inputStage: path.isMerged ? mergeStage(path, measured) : indexStage(path, measured),
      };
  }
}

function mergeStage(path: IndexPath, measured: Measured | undefined): Document {
  return { stage: 'SORT_MERGE', inputStages: [indexStage(path, measured)] };
}

function fetch(shown: Document, measured: Measured | undefined): Document {
  const examined = measured ? { docsExamined: measured.execution.docsExamined } : {};
  return { stage: 'FETCH', ...counts(measured), ...shown, ...examined };
}

/** A scan of index entries, with the name that `count` or `find` uses. */
export function indexStage(path: IndexPath, measured?: Measured, name: 'IXSCAN' | 'COUNT_SCAN' = 'IXSCAN'): Document {
  const { index, reverse } = path;
  const stage = path.distinctField === undefined ? name : 'DISTINCT_SCAN';
  const examined = measured ? { keysExamined: measured.execution.keysExamined } : {};
  return {
    stage,
    ...examined,
    keyPattern: index.record.spec.key,
    indexName: index.name,
    isMultiKey: index.isMultikey,
    isUnique: index.isUnique,
    isSparse: index.isSparse,
    isPartial: index.partialFilter !== undefined,
    indexVersion: 2,
    direction: reverse ? 'backward' : 'forward',
    indexBounds: documentOf(index.fields.map((field, at) => [field, boundsText(path.bounds[at])])),
  };
}

function boundsText(intervals: Intervals | undefined): string[] {
  if (!intervals) return ['[MinKey, MaxKey]'];
  return [...intervals.points.map((point) => `[${show(point)}, ${show(point)}]`), ...intervals.ranges.map(rangeText)];
}

function rangeText({ lower, upper }: Bound): string {
  const rank = rankOf((lower ?? upper)?.value);
  const from = lower ? `${lower.inclusive ? '[' : '('}${show(lower.value)}` : `[${least(rank)}`;
  const to = upper ? `${show(upper.value)}${upper.inclusive ? ']' : ')'}` : `${greatest(rank)}]`;
  return `${from}, ${to}`;
}

function least(rank: Rank): string {
  if (rank === Rank.Number) return '-inf.0';
  if (rank === Rank.String) return '""';
  return 'MinKey';
}

function greatest(rank: Rank): string {
  if (rank === Rank.Number) return 'inf.0';
  return rank === Rank.String ? '{}' : 'MaxKey';
}

const show = (value: Value): string => (value === undefined ? 'null' : display(value));
