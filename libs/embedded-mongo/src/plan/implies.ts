import { compareValues, equalValues } from '../bson/compare';
import { type Document, Rank, rankOf, type Value } from '../bson/value';
import type { Index } from '../index/index-spec';
import { compileFilter } from '../query/compile-filter';
import type { FilterNode } from '../query/filter-node';
import { parseFilter } from '../query/parse-filter';

type Leaf = Extract<FilterNode, { kind: 'leaf' }>;

/** Whether every document that the filter matches has an entry in the index. */
export function holdsAllMatches(index: Index, filter: FilterNode): boolean {
  // `a.0` in a query means an element or a field of elements; entries hold the one or the other.
  if (index.paths.some((path) => path.some((name) => /^\d+$/.test(name)))) return false;
  const leaves = leavesOf(filter);
  if (index.isSparse && !leaves.some((leaf) => index.fields.includes(leaf.path) && needsField(leaf))) return false;
  return index.partialFilter === undefined || implies(leaves, parseFilter(index.partialFilter));
}

/** The conditions that all hold. */
function leavesOf(node: FilterNode): Leaf[] {
  if (node.kind === 'leaf') return [node];
  return node.kind === 'and' ? node.children.flatMap(leavesOf) : [];
}

/** Whether a document without the field fails this condition. */
function needsField(leaf: Leaf): boolean {
  switch (leaf.operator) {
    case '$eq':
    case '$gte':
    case '$lte':
      return rankOf(leaf.value) !== Rank.Null;
    case '$in':
      return leaf.value.every((value) => rankOf(value) !== Rank.Null);
    case '$exists':
      return leaf.value;
    default:
      return true;
  }
}

function implies(leaves: Leaf[], wanted: FilterNode): boolean {
  if (wanted.kind === 'and') return wanted.children.every((child) => implies(leaves, child));
  if (wanted.kind === 'or') return wanted.children.some((child) => implies(leaves, child));
  if (wanted.kind === 'always') return wanted.value;
  if (wanted.kind !== 'leaf') return false;
  return leaves.some((leaf) => leaf.path === wanted.path && leafImplies(leaf, wanted));
}

function leafImplies(leaf: Leaf, wanted: Leaf): boolean {
  if (wanted.operator === '$exists' && wanted.value) return needsField(leaf);
  if (leaf.operator === wanted.operator && sameOperand(leaf.value, wanted.value)) return true;
  if (leaf.operator === '$eq') return fulfils(wanted, leaf.value);
  if (leaf.operator === '$in') return leaf.value.every((value) => fulfils(wanted, value));
  return isNarrower(leaf, wanted);
}

function sameOperand(a: unknown, b: unknown): boolean {
  return typeof a === 'object' && a !== null && 'codes' in a ? false : equalValues(a as Value, b as Value);
}

/** Tries the condition on a document that has just this value. */
function fulfils(wanted: Leaf, value: Value): boolean {
  const nested = wanted.path.split('.').reduceRight<Value>((inner, name) => ({ [name]: inner }), value);
  return compileFilter(wanted).matches(nested as Document);
}

/** Whether the range above or below one value lies within that of another. */
function isNarrower(leaf: Leaf, wanted: Leaf): boolean {
  const side = leaf.operator.slice(0, 3);
  if (!['$gt', '$lt'].includes(side) || wanted.operator.slice(0, 3) !== side) return false;
  const value = leaf.value as Value;
  const limit = wanted.value as Value;
  if (rankOf(value) !== rankOf(limit)) return false;
  const difference = compareValues(value, limit) * (side === '$gt' ? 1 : -1);
  return difference > 0 || (difference === 0 && (wanted.operator.endsWith('e') || !leaf.operator.endsWith('e')));
}
