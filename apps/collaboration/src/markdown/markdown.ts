import { createHash } from 'node:crypto';
import { commonErrors } from '@moothall/contracts';
import { InThreads, OutOfBounds } from '@moothall/workers';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { linkReferences, type Target } from './linked-references';
import { keyOf, type Reference } from './references-in';
import type { Outcome, Work } from './render-in-thread';

const limits = { withinMs: 3000, memoryMb: 128, threads: 2 };
const mostCharacters = 8 * 1024 ** 2;
const cachedCharacters = 16 * 1024 ** 2;

type Rendered = Exclude<Outcome, { isTooLong: true }>;
type Options = Omit<Work, 'texts' | 'mostCharacters'>;
type Find = (references: readonly Reference[]) => Promise<(Target | undefined)[]>;

/** Renders texts in separate threads, because their authors are not trusted. */
@Injectable()
export class Markdown extends InThreads<Work, Outcome[]> {
  private readonly rendered = new LRUCache<string, Rendered>({
    maxSize: cachedCharacters,
    sizeCalculation: ({ html }) => html.length + 500,
  });

  constructor() {
    super('@moothall/collaboration/markdown/render-in-thread', limits);
  }

  /**
   * Renders the texts of a request.
   * @param who the author or reader; requests of different users take turns
   * @param find resolves references; without it they stay text
   * @param shown where links and images lead, and whether headings have anchors
   * @returns null for a text that takes too much
   * @throws common.unavailable if too many requests are queued
   */
  async render(
    texts: readonly string[],
    who: string,
    find?: Find,
    shown?: Pick<Work, 'roots' | 'anchors'>,
  ): Promise<(string | null)[]> {
    const rendered = await this.runCached(texts, { ...shown, gfm: find !== undefined }, who);
    const references = new Map(rendered.flatMap((one) => (one?.references ?? []).map((each) => [keyOf(each), each])));
    const targets = find && references.size > 0 ? await targetsOf(references, find) : new Map<string, Target>();
    return rendered.map((one) => (one ? linkReferences(one.html, one.references, targets, mostCharacters) : null));
  }

  /** A text and the options determine the HTML, so it is cached. */
  private async runCached(texts: readonly string[], options: Options, who: string): Promise<(Rendered | undefined)[]> {
    const keys = texts.map((text) => digestOf([text, options]));
    const known = new Map(keys.map((key) => [key, this.rendered.get(key)]));
    const unknown = new Map(keys.flatMap((key, at) => (known.get(key) ? [] : [[key, texts[at] ?? '']])));
    const made = await this.run([...unknown.values()], options, who);
    for (const key of unknown.keys()) {
      const rendered = made.shift();
      known.set(key, rendered);
      if (rendered) this.rendered.set(key, rendered);
    }
    return keys.map((key) => known.get(key));
  }

  /** All in one task; if that takes too much, one after the other, so that one text does not harm the others. */
  private async run(texts: readonly string[], options: Options, who: string): Promise<(Rendered | undefined)[]> {
    if (texts.length === 0) return [];
    const made = await this.runTask(texts, options, who);
    if (made || texts.length === 1) return made ?? [undefined];
    const rendered: (Rendered | undefined)[] = [];
    const until = performance.now() + 2 * limits.withinMs;
    for (const text of texts) {
      const one = performance.now() < until ? await this.runTask([text], options, who) : undefined;
      rendered.push(one?.[0]);
    }
    return rendered;
  }

  /** @returns undefined if the texts take too much together */
  private async runTask(texts: readonly string[], options: Options, who: string) {
    const outcomes = await this.pool.run({ ...options, texts, mostCharacters }, { who }).catch((error: unknown) => {
      if (!(error instanceof OutOfBounds)) throw error;
      if (error.bound === 'waiting') throw commonErrors.unavailable();
    });
    return outcomes?.map((outcome) => ('isTooLong' in outcome ? undefined : outcome));
  }
}

/** By key, of those that are found. */
async function targetsOf(references: ReadonlyMap<string, Reference>, find: Find): Promise<Map<string, Target>> {
  const found = await find([...references.values()]);
  const byKey = [...references.keys()].map((key, at) => [key, found[at]] as const);
  return new Map(byKey.flatMap(([key, target]) => (target ? [[key, target]] : [])));
}

const digestOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64');
