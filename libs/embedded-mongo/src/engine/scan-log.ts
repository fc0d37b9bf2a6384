import { fieldNames } from '../bson/document';
import type { Document } from '../bson/value';
import type { Log } from '../log';
import type { Collection } from '../storage/collection';
import { filterShape } from './filter-shape';
import type { Scan } from './options';

/** The number of documents from which a scan is logged. */
const LARGE = 10_000;
/** The same query is logged once in this time. */
const REPEAT_MS = 60_000;
const MAX_REMEMBERED = 1000;

/** Reports scans: of large collections in the log, and all of them to a listener. */
export class ScanLog {
  private readonly logged = new Map<string, number>();

  /** @param onScan called once for each kind of scan, for any size of the collection */
  constructor(
    private readonly log: Log,
    private readonly onScan?: (scan: Scan) => void,
  ) {}

  /** @param isMeant whether all documents are requested, unordered: then no index is missing */
  report(
    { namespace, count: documents }: Collection,
    { filter, sort }: { filter: Document; sort?: Document | undefined },
    isMeant: boolean,
  ): void {
    const isLarge = documents >= LARGE && !isMeant;
    if (!isLarge && !this.onScan) return;
    const scan = { namespace, documents, filter: filterShape(filter), sort: sort ? fieldNames(sort) : [] };
    const query = JSON.stringify([isLarge, namespace, scan.filter, scan.sort]);
    const now = Date.now();
    const loggedAt = this.logged.get(query);
    if (loggedAt === undefined) this.onScan?.(scan);
    if (now - (loggedAt ?? 0) < REPEAT_MS) return;
    if (this.logged.size >= MAX_REMEMBERED) this.logged.clear();
    this.logged.set(query, now);
    if (isLarge) this.log('a large collection is scanned: an index would help', { ...scan });
  }
}
