import { BSONRegExp } from 'bson';
import { regExpParts } from '../bson/compare';
import type { Bound } from '../bson/index-key';
import { Rank, rankOf, type Value } from '../bson/value';
import type { FilterNode } from '../query/filter-node';
import type { Intervals } from './access-path';

/** A condition that every matching document fulfils, in the form an index can use. */
export interface Predicate {
  path: string;
  intervals: Intervals;
  /** Whether the documents within the bounds are exactly those that satisfy the condition. */
  isExact: boolean;
  /** Conditions on one array element apply together, also if the path traverses an array. */
  element?: FilterNode | undefined;
}

/** A filter in the form of the planner: a conjunction, and one disjunction. */
export interface Conjunction {
  predicates: Predicate[];
  /** Of which no matching document fulfils one: each exact. */
  exclusions: Predicate[];
  alternatives: FilterNode[][];
  /** Whether `predicates` and `exclusions` are the whole filter. */
  isComplete: boolean;
  /** Whether nothing can match. */
  isNever: boolean;
}

export function conjunctionOf(node: FilterNode): Conjunction {
  const conjunction: Conjunction = {
    predicates: [],
    exclusions: [],
    alternatives: [],
    isComplete: true,
    isNever: false,
  };
  collect(node, '', undefined, conjunction);
  return conjunction;
}

function collect(node: FilterNode, parent: string, element: FilterNode | undefined, into: Conjunction): void {
  switch (node.kind) {
    case 'and':
      for (const child of node.children) collect(child, parent, element, into);
      return;
    case 'always':
      if (!node.value) into.isNever = true;
      return;
    case 'or': {
      const possible = node.children.filter((child) => !conjunctionOf(child).isNever);
      into.isComplete = false;
      if (possible.length === 0) into.isNever = true;
      else if (parent === '') into.alternatives.push(possible);
      return;
    }
    case 'elemMatchObject':
    case 'elemMatchValue':
      into.isComplete = false;
      collect(node.child, join(parent, node.path), element ?? node, into);
      return;
    case 'leaf': {
      if (node.operator === '$in' && node.value.length === 0) into.isNever = true;
      const bounds = intervalsOf(node);
      if (!bounds) into.isComplete = false;
      else into.predicates.push({ path: join(parent, node.path), element, ...bounds });
      return;
    }
    case 'not': {
      const { child } = node;
      const bounds = child.kind === 'leaf' ? intervalsOf(child) : undefined;
      // Without an array on the path, a value outside exact bounds satisfies the negation.
      if (child.kind !== 'leaf' || parent !== '' || !bounds?.isExact) into.isComplete = false;
      else into.exclusions.push({ path: child.path, element: undefined, ...bounds });
      return;
    }
    default:
      into.isComplete = false;
  }
}

const join = (parent: string, path: string): string => (parent && path ? `${parent}.${path}` : parent || path);

type Leaf = Extract<FilterNode, { kind: 'leaf' }>;
type Found = Pick<Predicate, 'intervals' | 'isExact'> | undefined;

function intervalsOf(leaf: Leaf): Found {
  switch (leaf.operator) {
    case '$eq':
      return { intervals: { points: pointsOf(leaf.value), ranges: [] }, isExact: isPlain(leaf.value) };
    case '$in':
      return membershipOf(leaf.value);
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return rangeOf(leaf.operator, leaf.value);
    case '$exists':
      return leaf.value ? undefined : { intervals: { points: [null], ranges: [] }, isExact: false };
    case '$regex':
      return prefixRange(leaf.value);
    default:
      return undefined;
  }
}

/** An array equals a document's array, or one element of it; the entry of the former is that of its first element. */
function pointsOf(value: Value): Value[] {
  return Array.isArray(value) ? [value, value[0]] : [value];
}

/** Patterns among the values match their strings: one without a literal prefix excludes the index. */
function membershipOf(values: Value[]): Found {
  const patterns = values.filter((value) => rankOf(value) === Rank.RegExp);
  const prefixes = patterns.map((value) => prefixRange(regExpParts(value as BSONRegExp)));
  if (prefixes.includes(undefined)) return undefined;
  return {
    intervals: {
      points: values.flatMap(pointsOf),
      ranges: prefixes.flatMap((prefix) => prefix?.intervals.ranges ?? []),
    },
    isExact: values.every(isPlain),
  };
}

const plainRanks = new Set<Rank>([Rank.Number, Rank.String, Rank.ObjectId, Rank.Boolean, Rank.Date, Rank.Binary]);
/** Whether a value is found in an index by itself alone: no null, container or pattern. */
export const isPlain = (value: Value): boolean => plainRanks.has(rankOf(value));

function rangeOf(operator: '$gt' | '$gte' | '$lt' | '$lte', value: Value): Found {
  const rank = rankOf(value);
  // Arrays compare whole while their entries are single elements; MinKey and MaxKey compare with every type.
  if (rank === Rank.Array || rank === Rank.MinKey || rank === Rank.MaxKey || rank === Rank.RegExp) return undefined;
  const side = { value, inclusive: operator.endsWith('e') };
  const bound: Bound = operator.startsWith('$g') ? { lower: side } : { upper: side };
  // NaN sorts below all numbers, but none is less or greater than it.
  const meetsNaN = rank === Rank.Number && (bound.lower === undefined || Number.isNaN(Number(value)));
  return { intervals: { points: [], ranges: [bound] }, isExact: isPlain(value) && !meetsNaN };
}

/** Patterns that begin with `^` and literal characters are a range of strings, and the stored pattern itself. */
function prefixRange({ pattern, options }: { pattern: string; options: string }): Found {
  if (options !== '' || pattern.includes('|')) return undefined;
  const plain = /^\^([a-zA-Z0-9_ /:@,;=~"'%&!#-]+)/.exec(pattern)?.[1];
  if (plain === undefined) return undefined;
  // A quantifier after the last character may make that one optional.
  const isQuantified = /^[*?{]/.test(pattern.slice(1 + plain.length));
  const prefix = isQuantified ? plain.slice(0, -1) : plain;
  if (prefix === '') return undefined;
  const beyond = prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
  const range = { lower: { value: prefix, inclusive: true }, upper: { value: beyond, inclusive: false } };
  return { intervals: { points: [new BSONRegExp(pattern, options)], ranges: [range] }, isExact: false };
}
