import { expiresAfter } from '@moothall/background';
import { type answerGeoQuestion, type ErrorValue, isPassing, OperationError, type OutputOf } from '@moothall/contracts';
import { LRUCache } from 'lru-cache';

/** An answer of the primary, which may be a refusal. */
export type Answer = OutputOf<typeof answerGeoQuestion>;

interface Known {
  answer: Answer;
  answeredAt: number;
}

const most = { max: 50_000, maxSize: 64 * 1024 ** 2 };

/**
 * Caches the answers of the primary, positive or negative: they are fresh for a moment, and are used for longer while
 * the primary does not answer. Concurrent equal questions are one request. See docs/api/geo-replication.md#5.
 */
export class KnownAnswers {
  private readonly known: LRUCache<string, Known>;
  private readonly beingAsked = new Map<string, Promise<Answer>>();
  /** Time of the last request without an answer. */
  private silentAt = Number.NEGATIVE_INFINITY;

  /** @param awayMs maximum age of an answer while the primary does not answer */
  constructor(
    private readonly freshMs: number,
    private readonly awayMs: number,
  ) {
    const sizeCalculation = ({ answer }: Known) => JSON.stringify(answer).length;
    this.known = new LRUCache({ ...most, ...expiresAfter(Math.max(freshMs, awayMs)), sizeCalculation });
  }

  /** @throws the errors of `ask` */
  async get(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const known = this.known.get(key);
    if (known && this.isFresh(known)) return known.answer;
    return this.beingAsked.get(key) ?? this.begin(key, ask);
  }

  /** While the primary does not answer, each question would wait for the timeout. */
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

  /** A transient refusal comes from one service there: it does not affect other questions, and is not cached. */
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
