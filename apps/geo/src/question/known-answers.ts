import { keptFor } from '@moothall/background';
import { type answerGeoQuestion, isPassing, type OutputOf } from '@moothall/contracts';
import { LRUCache } from 'lru-cache';

/** What the primary said, of which a refusal is one. */
export type Answer = OutputOf<typeof answerGeoQuestion>;

interface Known {
  answer: Answer;
  answeredAt: number;
  /** When the primary was asked for it last, whether or not it answered. */
  askedAt: number;
}

const most = { max: 50_000, maxSize: 64 * 1024 ** 2 };

/**
 * What the primary answered, yes or no: it is not asked again for a moment, and while it is away that still holds for longer.
 * What many ask at once is asked once. See docs/api/geo.md#9.
 */
export class KnownAnswers {
  private readonly known: LRUCache<string, Known>;
  private readonly beingAsked = new Map<string, Promise<Answer>>();

  /** @param awayMs how old an answer may be that is given while nobody answers */
  constructor(
    private readonly freshMs: number,
    private readonly awayMs: number,
  ) {
    const sizeCalculation = ({ answer }: Known) => JSON.stringify(answer).length;
    this.known = new LRUCache({ ...most, ...keptFor(Math.max(freshMs, awayMs)), sizeCalculation });
  }

  /** @throws what `ask` throws */
  async get(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const known = this.known.get(key);
    if (known && performance.now() - known.askedAt < this.freshMs) return known.answer;
    return this.beingAsked.get(key) ?? this.begin(key, ask);
  }

  private begin(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const asking = this.ask(key, ask).finally(() => this.beingAsked.delete(key));
    this.beingAsked.set(key, asking);
    return asking;
  }

  private async ask(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await ask();
      const now = performance.now();
      this.known.set(key, { answer, answeredAt: now, askedAt: now });
      return answer;
    } catch (error) {
      const known = this.known.get(key);
      const holds = known && performance.now() - known.answeredAt < this.awayMs;
      if (!holds || !isPassing(error)) throw error;
      // Where it does not answer, each question would wait for as long as that takes.
      known.askedAt = performance.now();
      return known.answer;
    }
  }
}
