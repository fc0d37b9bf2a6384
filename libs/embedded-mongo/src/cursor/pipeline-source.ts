import { BATCH_DOCUMENTS, type Batches } from '../aggregation/stages/stage';
import { decodeDocument } from '../bson/decode';
import { encodeDocument } from '../bson/encode';
import type { Document } from '../bson/value';
import type { Engine } from '../engine/engine';
import { MongoError } from '../errors';
import { Budget } from '../plan/budget';
import { Execution, PAUSE, type Plan } from '../plan/execution';
import { BATCH_BYTES, MAX_DOCUMENT_BYTES } from '../protocol/wire';
import type { Source } from './cursor-table';

/** One run of a pipeline; its reads use the time of the call that waits for it. */
export class PipelineRun {
  budget = new Budget();

  /** @param session of the caller, if it named one */
  constructor(
    private readonly engine: Engine,
    readonly session: Document | undefined,
  ) {}

  /** The documents of a plan. Nothing is held in the store while a stage processes a batch. */
  async *read(plan: Plan): Batches {
    const execution = new Execution(this.engine.store, plan, this.budget);
    let batch: Document[] = [];
    try {
      for (;;) {
        execution.budget = this.budget;
        const found = execution.next();
        if (found === undefined) break;
        if (found === PAUSE) await this.budget.nextSlice();
        else if (batch.push(decodeDocument(found.bytes)) >= BATCH_DOCUMENTS) {
          execution.pause();
          yield batch;
          batch = [];
        }
      }
      if (batch.length > 0) yield batch;
    } finally {
      execution.close();
    }
  }

  /** Yields to others when the slice of this run is over. For stages, between two steps of their own work. */
  async takeTurn(): Promise<void> {
    if (this.budget.isSliceOver) await this.budget.nextSlice();
  }
}

/** The output of a pipeline. */
export class PipelineSource implements Source {
  private readonly iterator: AsyncIterator<Document[]>;
  private ready: Document[] = [];
  private position = 0;
  private held: Buffer | undefined;

  constructor(
    private readonly run: PipelineRun,
    output: Batches,
  ) {
    this.iterator = output[Symbol.asyncIterator]();
  }

  async nextBatch(limit: number, budget: Budget): Promise<{ documents: Buffer[]; isDone: boolean }> {
    this.run.budget = budget;
    budget.beginSlice();
    const documents: Buffer[] = [];
    let bytes = 0;
    while (documents.length < limit) {
      const document = this.held ?? (await this.next());
      this.held = undefined;
      if (document === undefined) return { documents, isDone: true };
      bytes += document.length;
      if (bytes > BATCH_BYTES && documents.length > 0) {
        this.held = document;
        break;
      }
      documents.push(document);
    }
    return { documents, isDone: false };
  }

  private async next(): Promise<Buffer | undefined> {
    while (this.position >= this.ready.length) {
      const { done, value } = await this.iterator.next();
      if (done) return undefined;
      this.ready = value;
      this.position = 0;
    }
    const bytes = encodeDocument(this.ready[this.position++]!);
    if (bytes.length <= MAX_DOCUMENT_BYTES) return bytes;
    throw new MongoError('BSONObjectTooLarge', `a document of the result is too large: ${bytes.length} bytes`);
  }

  close(): void {
    this.iterator.return?.()?.catch(() => undefined);
  }
}
