import { MongoError } from '../errors';
import type { Budget } from '../plan/budget';
import { type Execution, PAUSE } from '../plan/execution';
import { BATCH_BYTES, MAX_DOCUMENT_BYTES } from '../protocol/wire';
import type { Source } from './cursor-table';

/** More than for one query: a client that repeats what does not fit into one reply would repeat all parts. */
const batchBytes = 4 * BATCH_BYTES;

/** Begins to read one part of a union: a running query, or its whole result. */
export type OpenPart = (budget: Budget) => Promise<Execution | Buffer[]>;

/** The documents of several queries, one after the other. A part is opened when all before it are read. */
export class UnionSource implements Source {
  private execution: Execution | undefined;
  private ready: Buffer[] = [];
  private held: Buffer | undefined;

  constructor(private readonly parts: OpenPart[]) {}

  async nextBatch(limit: number, budget: Budget): Promise<{ documents: Buffer[]; isDone: boolean }> {
    budget.beginSlice();
    if (this.execution) this.begin(this.execution, budget);
    const documents: Buffer[] = [];
    let bytes = 0;
    while (documents.length < limit) {
      const found = this.held ?? this.ready.shift() ?? this.nextOfQuery();
      this.held = undefined;
      if (found === PAUSE) await budget.nextSlice();
      else if (found) {
        bytes += found.length;
        if (bytes > batchBytes && documents.length > 0) {
          this.held = found;
          break;
        }
        documents.push(found);
      } else if (!(await this.openNext(budget))) return { documents, isDone: true };
    }
    this.execution?.pause();
    return { documents, isDone: false };
  }

  private nextOfQuery(): Buffer | typeof PAUSE | undefined {
    const found = this.execution?.next();
    if (found === undefined || found === PAUSE) return found;
    if (found.bytes.length <= MAX_DOCUMENT_BYTES) return found.bytes;
    throw new MongoError('BSONObjectTooLarge', `a document of the result is too large: ${found.bytes.length} bytes`);
  }

  private async openNext(budget: Budget): Promise<boolean> {
    this.close();
    const open = this.parts.shift();
    if (!open) return false;
    const opened = await open(budget);
    if (Array.isArray(opened)) this.ready = opened;
    else this.begin(opened, budget);
    return true;
  }

  /** Begins or goes on with a query. @throws 175 (QueryPlanKilled) if its collection was dropped */
  private begin(execution: Execution, budget: Budget): void {
    execution.plan.collection.requirePresent();
    execution.budget = budget;
    this.execution = execution;
  }

  close(): void {
    this.execution?.close();
    this.execution = undefined;
  }
}
