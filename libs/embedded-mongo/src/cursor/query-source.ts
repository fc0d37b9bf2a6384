import type { Budget } from '../plan/budget';
import { type Execution, type Found, PAUSE } from '../plan/execution';
import { BATCH_BYTES } from '../protocol/wire';
import type { Source } from './cursor-table';

/** The documents of a running query: passed through as stored, or projected. */
export class QuerySource implements Source {
  private held: Found | undefined;

  constructor(
    readonly execution: Execution,
    private readonly batchBytes = BATCH_BYTES,
  ) {}

  async nextBatch(limit: number, budget: Budget): Promise<{ documents: Buffer[]; isDone: boolean }> {
    const { execution } = this;
    execution.plan.collection.requirePresent();
    execution.budget = budget;
    budget.beginSlice();
    const documents: Buffer[] = [];
    let bytes = 0;
    for (;;) {
      if (documents.length >= limit) return this.end(documents, execution.returned >= execution.plan.limit);
      // Awaited only when others get their turn: a promise for each document costs as much as finding it.
      const found = this.held ?? execution.next();
      if (found === PAUSE) {
        await execution.budget.nextSlice();
        continue;
      }
      this.held = undefined;
      if (found === undefined) return this.end(documents, true);
      const document = found.bytes;
      bytes += document.length;
      if (bytes > this.batchBytes && documents.length > 0) {
        this.held = found;
        return this.end(documents, false);
      }
      documents.push(document);
    }
  }

  private end(documents: Buffer[], isDone: boolean): { documents: Buffer[]; isDone: boolean } {
    this.execution.pause();
    return { documents, isDone: isDone && this.held === undefined };
  }

  close(): void {
    this.execution.close();
  }
}
