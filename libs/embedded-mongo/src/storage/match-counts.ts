import type { Document } from '../bson/value';
import type { FilterNode } from '../query/filter-node';

/** If fewer keys or documents were read, a count is as fast as the cache. */
const LEAST_EXAMINED = 1_000;
/** Each costs every write of the collection a test of the document, before and after. */
const MOST = 32;
/** A count that was not used during this number of writes is dropped. */
const MOST_CHANGES = 1_000;

interface Matches {
  node: FilterNode;
  matches(document: Document): boolean;
}

type Counted = Pick<Kept, 'count' | 'isWhole'> & { examined: number };

interface Kept {
  matcher: Matches;
  count: number;
  /** Whether these are all; else there may be more. */
  isWhole: boolean;
  /** Changes since its last use. */
  unasked: number;
}

/**
 * Caches how many documents match a filter that reads many keys or documents, as a text search: clients repeat it for
 * the next page or another state. A cached count changes with each written document, so it always equals a new count.
 */
export class MatchCounts {
  private readonly kept = new Map<string, Kept>();
  /** Number of written documents: a count is consistent if this is the same at its end. */
  changes = 0;

  /**
   * @param name the filter with everything that determines its meaning, as bytes
   * @returns the number of matches, or, if there are more than `atMost`, at least that many; undefined if unknown
   */
  find(name: string, atMost: number): number | undefined {
    const kept = this.kept.get(name);
    if (!kept || (!kept.isWhole && kept.count < atMost)) return undefined;
    // The least recently used ones come first.
    this.kept.delete(name);
    this.kept.set(name, { ...kept, unasked: 0 });
    return kept.count;
  }

  /** @param examined the number of keys or documents that were read to count them */
  keep(name: string, matcher: Matches, { count, isWhole, examined }: Counted): void {
    if (examined < LEAST_EXAMINED || !dependsOnDocument(matcher.node)) return;
    this.kept.delete(name);
    this.kept.set(name, { matcher, count, isWhole, unasked: 0 });
    if (this.kept.size <= MOST) return;
    const [oldest] = this.kept.keys();
    this.kept.delete(oldest!);
  }

  /** A document was replaced; undefined if it is new, or was deleted. */
  change(before: Document | undefined, after: Document | undefined): void {
    this.changes++;
    for (const [name, kept] of this.kept) {
      kept.count += Number(after !== undefined && matches(kept, after));
      kept.count -= Number(before !== undefined && matches(kept, before));
      if (++kept.unasked > MOST_CHANGES) this.kept.delete(name);
    }
  }
}

const matches = ({ matcher }: Kept, document: Document): boolean => matcher.matches(document);

/** Whether only the document decides: an expression may read the time, or fail. */
function dependsOnDocument(node: FilterNode): boolean {
  switch (node.kind) {
    case 'and':
    case 'or':
    case 'nor':
      return node.children.every(dependsOnDocument);
    case 'not':
    case 'elemMatchObject':
    case 'elemMatchValue':
      return dependsOnDocument(node.child);
    case 'leaf':
    case 'always':
      return true;
    default:
      return false;
  }
}
