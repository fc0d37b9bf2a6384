import { fieldNames } from '../bson/document';
import { type Document, isDocument, isNumber, type Value } from '../bson/value';

/** A pipeline that only counts, as drivers send it for countDocuments. */
export interface CountPipeline {
  filter: Document;
  skip: number;
  limit: number;
  /** The group's `_id`, which is in the reply. */
  groupId: Value;
  /** The field of the count. */
  field: string;
}

/**
 * Recognises `[$match?, $skip?, $limit?, {$group: {_id: <constant>, n: {$sum: 1}}}]`, so that it can be counted like
 * a count command: from index entries if they suffice, without reading a document.
 */
export function asCountPipeline(pipeline: readonly Document[]): CountPipeline | undefined {
  const stages = [...pipeline];
  const take = (name: string): Value => (stages[0] && name in stages[0] ? stages.shift()![name] : undefined);
  const filter = take('$match') ?? {};
  const skip = take('$skip') ?? 0;
  const limit = take('$limit') ?? Number.POSITIVE_INFINITY;
  const group = take('$group');
  if (stages.length > 0 || !isDocument(filter) || !isDocument(group) || !isNumber(skip) || !isNumber(limit))
    return undefined;
  if (!Number.isInteger(Number(skip)) || Number(skip) < 0 || Number(limit) < 1) return undefined;
  const [idName, field, ...others] = fieldNames(group);
  if (idName !== '_id' || field === undefined || others.length > 0) return undefined;
  const sum = group[field];
  const groupId = group._id;
  const isConstant = groupId === null || isNumber(groupId);
  if (!isConstant || !isDocument(sum) || !isOne(sum.$sum) || fieldNames(sum).length !== 1) return undefined;
  return { filter, skip: Number(skip), limit: Number(limit), groupId, field };
}

const isOne = (value: Value): boolean =>
  value !== undefined && value !== null && isNumber(value) && Number(value) === 1;
