import { fieldNames } from '../bson/document';
import type { Log } from '../log';
import type { Collection } from '../storage/collection';
import type { Query } from './plan-query';

/** Documents from which reading all of them is worth telling an operator. */
const LARGE = 10_000;
/** The same query is told of once in this time. */
const REPEAT_MS = 60_000;
const MAX_REMEMBERED = 1000;

/** Tells of queries that read a large collection from end to end for want of an index. Fields are named, values are not. */
export class ScanLog {
  private readonly told = new Map<string, number>();

  constructor(private readonly log: Log) {}

  report({ namespace, count: documents }: Collection, { filter, sort }: Query): void {
    if (documents < LARGE) return;
    const details = { namespace, documents, filter: fieldNames(filter), sort: sort ? fieldNames(sort) : [] };
    const query = JSON.stringify([namespace, details.filter, details.sort]);
    const now = Date.now();
    if (now - (this.told.get(query) ?? 0) < REPEAT_MS) return;
    if (this.told.size >= MAX_REMEMBERED) this.told.clear();
    this.told.set(query, now);
    this.log('a large collection is scanned: an index would help', details);
  }
}
