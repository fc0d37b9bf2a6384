import type { Collation } from '../../bson/collation';
import type { Document, Value } from '../../bson/value';
import { MongoError } from '../../errors';
import type { ExpressionScope } from '../../expression/expression';
import type { OpenScratch } from '../../spill/scratch-file';

/** Documents in batches: one await for many of them. */
export type Batches = AsyncIterable<Document[]>;

/** Runs over documents in batches; reads no more of them than its result needs. */
export type CompiledPipeline = (input: Batches) => Batches;

/** One stage, ready to run. */
export type Stage = (input: Batches) => Batches;

/** The target of `$out` and `$merge`. The server provides it; other pipelines refuse both. */
export interface PipelineWriter {
  /** Replaces a collection by the documents. */
  out(target: { db?: string; coll: string }, documents: Batches): Promise<void>;
  /** Writes documents into a collection with the modes of `$merge`, which the writer checks. */
  merge(specification: MergeSpecification, documents: Batches): Promise<void>;
}

export interface MergeSpecification {
  into: { db?: string; coll: string };
  on: string[];
  whenMatched: 'replace' | 'keepExisting' | 'merge' | 'fail' | readonly Value[];
  whenNotMatched: 'insert' | 'discard' | 'fail';
  /** Values of the stage's `let`, by name; `$$new` is the incoming document. */
  let: Document | undefined;
}

/** The environment of a pipeline. */
export interface PipelineEnvironment {
  collation?: Collation | undefined;
  /** Evaluated values of `let`, by name without `$$`. */
  variables?: Record<string, Value> | undefined;
  now?: Date | undefined;
  /** Runs a pipeline on a collection of the same database, for `$lookup` and `$unionWith`. */
  aggregate?(collection: string, pipeline: readonly Value[], variables: Record<string, Value>): Batches;
  writer?: PipelineWriter | undefined;
  /** Memory of a stage, in bytes; 100 MiB by default. */
  maxBytes?: number | undefined;
  /** For sorts and groups that exceed the memory; without it they fail. */
  openScratch?: OpenScratch | undefined;
  /** Yields to others when the time slice of this pipeline is over. Called between two steps of a few milliseconds. */
  takeTurn?(): Promise<void>;
}

/** The options of stages. */
export interface StageContext extends PipelineEnvironment {
  scope: ExpressionScope;
  /** Names of user variables in sight. */
  names: readonly string[];
  compilePipeline(stages: Value, environment?: Partial<PipelineEnvironment>): CompiledPipeline;
  /** The number of documents that the following stages need at most: lets a sort drop the rest. */
  limitAhead: number | undefined;
}

export type CompileStage = (operand: Value, context: StageContext, name: string) => Stage;

/** A stage that turns each document into one or none. */
export function eachDocument(change: (document: Document) => Document | undefined): Stage {
  return async function* (input) {
    for await (const batch of input) {
      const changed: Document[] = [];
      for (const document of batch) {
        const result = change(document);
        if (result !== undefined) changed.push(result);
      }
      if (changed.length > 0) yield changed;
    }
  };
}

/** Documents that go through a pipeline together: one await for many, and few enough for a short step. */
export const BATCH_DOCUMENTS = 100;

/** A stage that reads all documents before it returns the first. */
export function allDocuments(
  compute: (input: Batches) => Promise<Iterable<Document>>,
  context?: PipelineEnvironment,
): Stage {
  return async function* (input) {
    yield* inBatches(await compute(input), context);
  };
}

/** Documents in batches, with a chance for others between two of them. */
export async function* inBatches(documents: Iterable<Document>, { takeTurn }: PipelineEnvironment = {}): Batches {
  let batch: Document[] = [];
  for (const document of documents) {
    if (batch.push(document) < BATCH_DOCUMENTS) continue;
    yield batch;
    batch = [];
    await takeTurn?.();
  }
  if (batch.length > 0) yield batch;
}

export async function* batchesOf(documents: Document[]): Batches {
  if (documents.length > 0) yield documents;
}

/** Collects all documents, within the memory a stage may use. */
export async function collect(input: Batches, meter: MemoryMeter): Promise<Document[]> {
  const documents: Document[] = [];
  for await (const batch of input) {
    for (const document of batch) {
      meter.add(document);
      documents.push(document);
    }
  }
  return documents;
}

export const DEFAULT_MAX_BYTES = 100 * 1024 * 1024;

/** Estimates the memory of a stage. */
export class MemoryMeter {
  private bytes = 0;
  private readonly maxBytes: number;
  private readonly name: string;

  constructor(name: string, { maxBytes = DEFAULT_MAX_BYTES }: PipelineEnvironment) {
    this.name = name;
    this.maxBytes = maxBytes;
  }

  /** @throws QueryExceededMemoryLimitNoDiskUseAllowed (292) beyond the limit */
  add(value: Value): void {
    this.count(value);
    if (this.isOver) throw this.refusal();
  }

  /** @param overheadBytes memory besides the value */
  count(value: Value, overheadBytes = 0): void {
    this.bytes += roughBytes(value) + overheadBytes;
  }

  get isOver(): boolean {
    return this.bytes > this.maxBytes;
  }

  refusal(): MongoError {
    return new MongoError(
      'QueryExceededMemoryLimitNoDiskUseAllowed',
      `Exceeded memory limit for ${this.name}, of ${this.maxBytes} bytes, but did not opt in to external processing.`,
    );
  }
}

export function roughBytes(value: Value): number {
  if (typeof value === 'string') return 16 + value.length * 2;
  if (typeof value !== 'object' || value === null) return 16;
  if (Array.isArray(value)) return value.reduce<number>((sum, element) => sum + roughBytes(element), 32);
  const { buffer } = value as { buffer?: unknown };
  if (buffer instanceof Uint8Array) return 64 + buffer.length;
  let sum = 48;
  for (const name in value) sum += 16 + roughBytes((value as Document)[name]);
  return sum;
}
