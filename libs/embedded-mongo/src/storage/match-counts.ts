import type { Document } from '../bson/value';
import type { FilterNode } from '../query/filter-node';

/** Where fewer keys or documents were looked at, a count is done as fast as it is kept. */
const LEAST_EXAMINED = 1_000;
/** Each costs every write of the collection a look at the document, before and after. */
const MOST = 32;
/** What nobody has asked for while so much was written is not worth that any more. */
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
  /** Changes since it was last asked for. */
  unasked: number;
}

/**
 * Caches how many documents match a filter that reads many keys or documents, as a text search: clients repeat it for
 * the next page or another state. A cached count changes with each written document, so it always equals a new count.
 */
export class MatchCounts {
  private readonly kept = new Map<string, Kept>();
  /** Documents written so far: a count is of one moment when this was the same at its end. */
  changes = 0;

  /**
   * @param name the filter with all that decides what it means, as bytes
   * @returns how many there are, or, where there are more than `atMost`, at least so many; undefined when that is not known
   */
  find(name: string, atMost: number): number | undefined {
    const kept = this.kept.get(name);
    if (!kept || (!kept.isWhole && kept.count < atMost)) return undefined;
    // Those not asked for lately stand in front.
    this.kept.delete(name);
    this.kept.set(name, { ...kept, unasked: 0 });
    return kept.count;
  }

  /** @param examined how many keys or documents it took to count them */
  keep(name: string, matcher: Matches, { count, isWhole, examined }: Counted): void {
    if (examined < LEAST_EXAMINED || !dependsOnDocument(matcher.node)) return;
    this.kept.delete(name);
    this.kept.set(name, { matcher, count, isWhole, unasked: 0 });
    if (this.kept.size <= MOST) return;
    const [oldest] = this.kept.keys();
    this.kept.delete(oldest!);
  }

  /** A document became another; undefined where it is new, or gone. */
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

/** Whether nothing but the document decides: an expression may ask for the time, or fail. */
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
