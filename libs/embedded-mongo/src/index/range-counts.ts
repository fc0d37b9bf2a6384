import type { KeyRange } from '../bson/index-key';

/** Shorter ranges are counted as fast as they are found here. */
const LEAST = 256;
/** Each costs every write of the index a comparison. */
const MOST = 16;

interface Kept extends KeyRange {
  count: number;
  /** Whether these are all; else there may be more after them. */
  isWhole: boolean;
}

/**
 * Caches the number of entries in long ranges of an index, which lists return with every page. Each written entry updates
 * the cached numbers. Keys are complete, with the number of the index in front.
 */
export class RangeCounts {
  private readonly kept = new Map<string, Kept>();
  /** Number of writes so far: a count is consistent if this is the same at its end. */
  changes = 0;

  /** @returns the number of entries, or, if there are more than `atMost`, at least that many; undefined if unknown */
  find(range: KeyRange, atMost: number): number | undefined {
    const name = nameOf(range);
    const kept = this.kept.get(name);
    if (!kept || (!kept.isWhole && kept.count < atMost)) return undefined;
    // The least recently used ones come first.
    this.kept.delete(name);
    this.kept.set(name, kept);
    return kept.count;
  }

  keep({ start, end }: KeyRange, count: number, isWhole: boolean): void {
    if (count < LEAST) return;
    const name = nameOf({ start, end });
    this.kept.delete(name);
    this.kept.set(name, { start, end, count, isWhole });
    if (this.kept.size <= MOST) return;
    const [oldest] = this.kept.keys();
    this.kept.delete(oldest!);
  }

  /** An entry was added or removed. */
  change(key: Buffer, by: 1 | -1): void {
    this.changes++;
    for (const range of this.kept.values()) {
      if (Buffer.compare(key, range.start) >= 0 && Buffer.compare(key, range.end) < 0) range.count += by;
    }
  }
}

const nameOf = ({ start, end }: KeyRange): string => `${start.toString('latin1')}|${end.toString('latin1')}`;
