import { expiresAfter } from '@moothall/background';
import { type answerGeoQuestion, type ErrorValue, isPassing, OperationError, type OutputOf } from '@moothall/contracts';
import { LRUCache } from 'lru-cache';

/** What the primary said, of which a refusal is one. */
export type Answer = OutputOf<typeof answerGeoQuestion>;

interface Known {
  answer: Answer;
  answeredAt: number;
}

const most = { max: 50_000, maxSize: 64 * 1024 ** 2 };

/**
 * What the primary answered, yes or no: it is not asked again for a moment, and while it is away that still holds for longer.
 * What many ask at once is asked once. See docs/api/geo-replication.md#5.
 */
export class KnownAnswers {
  private readonly known: LRUCache<string, Known>;
  private readonly beingAsked = new Map<string, Promise<Answer>>();
  /** When somebody waited for an answer in vain, last. */
  private silentAt = Number.NEGATIVE_INFINITY;

  /** @param awayMs how old an answer may be that is given while nobody answers */
  constructor(
    private readonly freshMs: number,
    private readonly awayMs: number,
  ) {
    const sizeCalculation = ({ answer }: Known) => JSON.stringify(answer).length;
    this.known = new LRUCache({ ...most, ...expiresAfter(Math.max(freshMs, awayMs)), sizeCalculation });
  }

  /** @throws what `ask` throws */
  async get(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const known = this.known.get(key);
    if (known && this.isFresh(known)) return known.answer;
    return this.beingAsked.get(key) ?? this.begin(key, ask);
  }

  /** Where the primary does not answer, each question would wait for as long as that takes. */
  private isFresh(known: Known): boolean {
    const now = performance.now();
    return now - known.answeredAt < this.freshMs || (now - this.silentAt < this.freshMs && this.holds(known));
  }

  private holds({ answeredAt }: Known): boolean {
    return performance.now() - answeredAt < this.awayMs;
  }

  private begin(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const asking = this.ask(key, ask).finally(() => this.beingAsked.delete(key));
    this.beingAsked.set(key, asking);
    return asking;
  }

  /** A passing refusal is of one service there: it says nothing of other questions, and is not kept. */
  private async ask(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    let answer: Answer;
    try {
      answer = await ask();
    } catch (error) {
      if (!isPassing(error)) throw error;
      this.silentAt = performance.now();
      const held = this.held(key);
      if (!held) throw error;
      return held;
    }
    if (refusesForNow(answer)) return this.held(key) ?? answer;
    this.known.set(key, { answer, answeredAt: performance.now() });
    return answer;
  }

  private held(key: string): Answer | undefined {
    const known = this.known.get(key);
    return known && this.holds(known) ? known.answer : undefined;
  }
}

const refusesForNow = ({ refusal }: Answer): boolean =>
  refusal !== null && isPassing(new OperationError(refusal as ErrorValue));
