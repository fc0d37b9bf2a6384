import type { KeyRange } from '../bson/index-key';

/** Shorter ranges are counted as fast as they are looked up here. */
const LEAST = 256;
/** Each costs every write of the index a comparison. */
const MOST = 16;

interface Kept extends KeyRange {
  count: number;
  /** Whether these are all; else there may be more behind. */
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

  /** @returns how many there are, or, where there are more than `atMost`, at least so many; undefined when that is not known */
  find(range: KeyRange, atMost: number): number | undefined {
    const name = nameOf(range);
    const kept = this.kept.get(name);
    if (!kept || (!kept.isWhole && kept.count < atMost)) return undefined;
    // Those not asked for lately stand in front.
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

  /** An entry is there now, or is not any more. */
  change(key: Buffer, by: 1 | -1): void {
    this.changes++;
    for (const range of this.kept.values()) {
      if (Buffer.compare(key, range.start) >= 0 && Buffer.compare(key, range.end) < 0) range.count += by;
    }
  }
}

const nameOf = ({ start, end }: KeyRange): string => `${start.toString('latin1')}|${end.toString('latin1')}`;
