import { Injectable } from '@nestjs/common';
import { Counters } from './counters';

const idsPerBlock = 50;

interface Block {
  next: number;
  end: number;
}

/**
 * Ids of frequently created records. A process reserves them in blocks, so that most cost nothing; the rest of a
 * block is never used after a stop.
 */
@Injectable()
export class RecordIds {
  private readonly blocks = new Map<string, Promise<Block>>();

  constructor(private readonly counters: Counters) {}

  /** The next id for a collection; ids of one process ascend. */
  async next(collection: string): Promise<number> {
    for (;;) {
      const taken = this.blockOf(collection);
      const block = await taken;
      if (block.next < block.end) return block.next++;
      // The first caller that finds it used up replaces it; others use the new one.
      if (this.blocks.get(collection) === taken) this.blocks.delete(collection);
    }
  }

  /** That many ids, ascending. */
  async take(collection: string, count: number): Promise<number[]> {
    const ids: number[] = [];
    while (ids.length < count) ids.push(await this.next(collection));
    return ids;
  }

  private blockOf(collection: string): Promise<Block> {
    const known = this.blocks.get(collection);
    if (known !== undefined) return known;
    const taken = this.counters
      .take(collection, idsPerBlock)
      .then((first) => ({ next: first, end: first + idsPerBlock }));
    taken.catch(() => this.blocks.delete(collection));
    this.blocks.set(collection, taken);
    return taken;
  }
}
