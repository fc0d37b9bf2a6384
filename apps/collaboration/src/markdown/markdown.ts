import { createHash } from 'node:crypto';
import { commonErrors, markdownErrors } from '@moothall/contracts';
import { InThreads, OutOfBounds } from '@moothall/workers';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Target } from './linked-references';
import { keyOf, type Reference } from './references-in';
import type { Outcome, Work } from './render-in-thread';

const limits = { withinMs: 3000, memoryMb: 128, threads: 2 };
const mostCharacters = 8 * 1024 ** 2;
const cachedCharacters = 16 * 1024 ** 2;

type Rendered = Exclude<Outcome, { isTooLong: true }>;
type Find = (references: readonly Reference[]) => Promise<(Target | undefined)[]>;

/** Renders texts in separate threads, because their authors are not trusted. */
@Injectable()
export class Markdown extends InThreads<Work, Outcome> {
  private readonly rendered = new LRUCache<string, Rendered>({
    maxSize: cachedCharacters,
    sizeCalculation: ({ html }) => html.length + 500,
  });

  constructor() {
    super('@moothall/collaboration/markdown/render-in-thread', limits);
  }

  /**
   * @param who the author or reader; texts of different users take turns
   * @param find resolves references; without it they stay text
   * @param shown where links and images lead, and whether headings have anchors
   * @throws markdown.too_much; common.unavailable if too many texts are queued
   */
  async render(text: string, who: string, find?: Find, shown?: Pick<Work, 'roots' | 'anchors'>): Promise<string> {
    const work = { text, mostCharacters, ...shown };
    const first = await this.run({ ...work, gfm: find !== undefined, targets: {} }, who);
    if (!find || first.references.length === 0) return first.html;
    const found = await find(first.references);
    const targets = Object.fromEntries(
      first.references.flatMap((reference, at) => {
        const target = found[at];
        return target ? [[keyOf(reference), target]] : [];
      }),
    );
    if (Object.keys(targets).length === 0) return first.html;
    return (await this.run({ ...work, gfm: true, targets }, who)).html;
  }

  /** Without targets, the text and its options determine the HTML, so it is cached. */
  private async run(work: Work, who: string): Promise<Rendered> {
    if (Object.keys(work.targets).length > 0) return this.runInThread(work, who);
    const key = createHash('sha256').update(JSON.stringify(work)).digest('base64');
    const known = this.rendered.get(key);
    if (known) return known;
    const rendered = await this.runInThread(work, who);
    this.rendered.set(key, rendered);
    return rendered;
  }

  private async runInThread(work: Work, who: string): Promise<Rendered> {
    const outcome = await this.pool.run(work, { who }).catch((error: unknown) => {
      if (!(error instanceof OutOfBounds)) throw error;
      throw error.bound === 'waiting' ? commonErrors.unavailable() : markdownErrors.tooMuch();
    });
    if ('isTooLong' in outcome) throw markdownErrors.tooMuch();
    return outcome;
  }
}
