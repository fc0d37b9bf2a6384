import { isDeepStrictEqual } from 'node:util';
import { compareValues, equalValues } from '../bson/compare';
import { Rank, rankOf, type Value } from '../bson/value';
import type { Index } from '../index/index-spec';
import type { FilterNode, TypeSet } from '../query/filter-node';

type Leaf = Extract<FilterNode, { kind: 'leaf' }>;

/**
 * Whether every document that matches the filter has an entry in the index, as far as MongoDB recognizes it: a query
 * that is fast here must be fast there. So it recognizes no more than MongoDB's planner, though more would be true,
 * such as that a value equal to 5 has the type number.
 */
export function holdsAllMatches(index: Index, filter: FilterNode): boolean {
  // `a.0` in a query means an element or a field of elements; entries contain one of them.
  if (index.namesElements) return false;
  // For a sparse index MongoDB checks only the leading field.
  if (index.isSparse && !conditionsOf(filter).some((node) => pathOf(node) === index.fields[0] && needsField(node)))
    return false;
  return index.partialNode === undefined || implies(filter, index.partialNode);
}

/** The conditions of the conjunction. */
function conditionsOf(node: FilterNode): FilterNode[] {
  return node.kind === 'and' ? node.children.flatMap(conditionsOf) : [node];
}

function pathOf(node: FilterNode): string | undefined {
  return node.kind === 'leaf' || node.kind === 'elemMatchObject' || node.kind === 'elemMatchValue'
    ? node.path
    : undefined;
}

/** Whether a document without the field fails this condition, which is on one field. */
function needsField(node: FilterNode): boolean {
  switch (node.kind) {
    case 'elemMatchObject':
    case 'elemMatchValue':
      return true;
    case 'leaf':
      return node.operator === '$exists' ? node.value : !holdsNull(node);
    default:
      return false;
  }
}

const isNull = (value: Value): boolean => rankOf(value) === Rank.Null;

/** Whether null, and with it a missing field, fulfils a comparison. */
function holdsNull(leaf: Leaf): boolean {
  if (leaf.operator === '$in') return leaf.value.some(isNull);
  return isComparison(leaf) && isNull(leaf.value);
}

type Comparison = Extract<Leaf, { operator: '$eq' | '$gt' | '$gte' | '$lt' | '$lte' }>;
const comparisons = new Set(['$eq', '$gt', '$gte', '$lt', '$lte']);
const isComparison = (leaf: Leaf): leaf is Comparison => comparisons.has(leaf.operator);

/** @see MongoDB's `expression_algo.cpp`, isSubsetOf */
function implies(filter: FilterNode, wanted: FilterNode): boolean {
  if (wanted.kind === 'and') return wanted.children.every((child) => implies(filter, child));
  if (filter.kind === 'and') return filter.children.some((child) => implies(child, wanted));
  if (filter.kind === 'or') return filter.children.every((child) => implies(child, wanted));
  if (wanted.kind === 'or') return wanted.children.some((child) => implies(filter, child));
  if (wanted.kind === 'always') return wanted.value;
  if (wanted.kind !== 'leaf' || pathOf(filter) !== wanted.path) return false;
  if (wanted.operator === '$exists' && wanted.value) return needsField(filter);
  return filter.kind === 'leaf' && leafImplies(filter, wanted);
}

function leafImplies(leaf: Leaf, wanted: Leaf): boolean {
  if (wanted.operator === '$type') return leaf.operator === '$type' && isNarrowerType(leaf.value, wanted.value);
  if (leaf.operator === '$in') return leaf.value.every((value) => equalityImplies(value, wanted));
  if (leaf.operator === '$eq') return equalityImplies(leaf.value, wanted);
  if (isComparison(leaf) && isComparison(wanted)) return isNarrower(leaf, wanted);
  // For other conditions only the same condition is recognized.
  return leaf.operator === wanted.operator && isDeepStrictEqual(leaf.value, wanted.value);
}

function isNarrowerType(types: TypeSet, wanted: TypeSet): boolean {
  if (types.anyNumber && !wanted.anyNumber) return false;
  return [...types.codes].every((code) => wanted.codes.has(code));
}

function equalityImplies(value: Value, wanted: Leaf): boolean {
  // A pattern matches any of its strings.
  if (rankOf(value) === Rank.RegExp) return false;
  if (wanted.operator === '$in') return wanted.value.some((each) => equalValues(each, value));
  if (!isComparison(wanted)) return false;
  if (wanted.operator === '$eq') return equalValues(wanted.value, value);
  return isNarrower({ ...wanted, operator: wanted.operator.startsWith('$g') ? '$gte' : '$lte', value }, wanted);
}

/** Whether the range above or below one value lies within that of another. */
function isNarrower(leaf: Comparison, wanted: Comparison): boolean {
  const side = leaf.operator.slice(0, 3);
  if (!['$gt', '$lt'].includes(side) || wanted.operator.slice(0, 3) !== side) return false;
  if (rankOf(leaf.value) !== rankOf(wanted.value) || isNaNumber(leaf.value) || isNaNumber(wanted.value)) return false;
  const difference = compareValues(leaf.value, wanted.value) * (side === '$gt' ? 1 : -1);
  return difference > 0 || (difference === 0 && (wanted.operator.endsWith('e') || !leaf.operator.endsWith('e')));
}

const isNaNumber = (value: Value): boolean => rankOf(value) === Rank.Number && Number.isNaN(Number(value));
