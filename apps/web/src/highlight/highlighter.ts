import { createHash } from 'node:crypto';
import { InThreads, OutOfBounds } from '@moothall/workers';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Source } from './highlight-in-thread';

const limits = { withinMs: 200, memoryMb: 128, threads: 2 };
const mostCharacters = 64 * 1024;
const cachedCharacters = 16 * 1024 ** 2;
/** A text that took too much time gets another chance after this: perhaps the machine was busy. */
const retryMs = 10_000;

/** The HTML of each line of a file; undefined if its text is shown as it is. */
export type HighlightedLines = readonly string[] | undefined;

/** Marks keywords, strings and comments of programs in HTML, in threads, because their authors are not trusted. */
@Injectable()
export class Highlighter extends InThreads<Source, string[] | null> {
  private readonly known = new LRUCache<string, { lines: HighlightedLines }>({
    maxSize: cachedCharacters,
    sizeCalculation: ({ lines = [] }) => lines.reduce((sum, line) => sum + line.length, 1000),
  });

  constructor() {
    super('@moothall/web/highlight/highlight-in-thread', limits);
  }

  /**
   * @param who texts of different visitors take turns
   * @returns undefined for an unknown language, and for a text that is too long or takes too much time
   */
  async highlight(source: Source, who: string): Promise<HighlightedLines> {
    if (source.text.length > mostCharacters) return undefined;
    const key = createHash('sha256').update(`${source.name}\0${source.text}`).digest('base64');
    const known = this.known.get(key);
    if (known) return known.lines;
    try {
      const lines = (await this.pool.run(source, { who })) ?? undefined;
      this.known.set(key, { lines });
      return lines;
    } catch (error) {
      if (!(error instanceof OutOfBounds)) throw error;
      if (error.bound !== 'waiting') this.known.set(key, { lines: undefined }, { ttl: retryMs });
      return undefined;
    }
  }
}
