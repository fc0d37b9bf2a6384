import type { OpenScratch, ScratchFile } from './scratch-file';

/** The type of sorted items, and how they are written to disk. */
export interface Sortable<T> {
  compare(a: T, b: T): number;
  /** Approximate memory of an item. */
  bytesOf(item: T): number;
  encode(item: T): Uint8Array;
  decode(bytes: Buffer): T;
}

export interface SortLimits {
  /** Items needed from the beginning of the order; Infinity for all. */
  wanted: number;
  memoryBytes: number;
  /** Absent if the disk may not be used. */
  openScratch: OpenScratch | undefined;
  /** Created if the memory is not sufficient and the disk may not be used. */
  refusal(): Error;
}

/** Items sorted in one step: takes a millisecond or two. */
const CHUNK_ITEMS = 1000;
/** Steps between two chances to pause. */
const STEPS_PER_PAUSE = 100;

/**
 * Sorts any number of items with limited memory and in small steps. Items are sorted in chunks as they arrive; chunks
 * beyond the memory are merged into a run on disk; at the end all chunks and runs are merged while they are read.
 * Equal items stay in their order.
 */
export class ExternalSort<T> {
  private chunk: T[] = [];
  /** Each in order; older ones first. */
  private chunks: T[][] = [];
  private items = 0;
  private bytes = 0;
  private file: ScratchFile | undefined;
  private readonly runs: { from: number; to: number }[] = [];

  constructor(
    private readonly sortable: Sortable<T>,
    private readonly limits: SortLimits,
  ) {}

  /** Call `settle` after it if `isDue` is true. */
  add(item: T): void {
    this.chunk.push(item);
    this.items++;
    this.bytes += this.sortable.bytesOf(item);
    if (this.chunk.length >= CHUNK_ITEMS) this.closeChunk();
  }

  private closeChunk(): void {
    if (this.chunk.length === 0) return;
    this.chunk.sort(this.sortable.compare);
    this.chunks.push(this.chunk);
    this.chunk = [];
  }

  /** Whether the memory is used up, or contains much more than needed. */
  get isDue(): boolean {
    return this.bytes > this.limits.memoryBytes || this.items >= 2 * this.limits.wanted + CHUNK_ITEMS;
  }

  /**
   * Drops unneeded items, and writes the rest to disk if it is still too much. Each step is short; others may run
   * between two of them.
   * @throws the refusal, OutOfDiskSpace (14031)
   */
  *settle(): Generator<void> {
    this.closeChunk();
    if (this.items > this.limits.wanted) yield* this.forgetUnwanted();
    if (this.bytes > this.limits.memoryBytes) yield* this.putAside();
  }

  private *forgetUnwanted(): Generator<void> {
    const kept: T[] = [];
    let bytes = 0;
    for (const item of merged(this.chunks, this.sortable)) {
      if (kept.push(item) % STEPS_PER_PAUSE === 0) yield;
      bytes += this.sortable.bytesOf(item);
      if (kept.length >= this.limits.wanted) break;
    }
    this.chunks = [kept];
    this.items = kept.length;
    this.bytes = bytes;
  }

  private *putAside(): Generator<void> {
    if (!this.limits.openScratch) throw this.limits.refusal();
    this.file ??= this.limits.openScratch();
    const from = this.file.size;
    let steps = 0;
    for (const item of merged(this.chunks, this.sortable)) {
      this.file.append(this.sortable.encode(item));
      if (++steps % STEPS_PER_PAUSE === 0) yield;
    }
    this.runs.push({ from, to: this.file.size });
    this.chunks = [];
    this.items = 0;
    this.bytes = 0;
  }

  /** All needed items, in order; read it to the end or close the sort. */
  *sorted(): Generator<T> {
    this.closeChunk();
    const onDisk = this.runs.map(({ from, to }) => this.readRun(from, to));
    let given = 0;
    for (const item of merged([...onDisk, ...this.chunks], this.sortable)) {
      if (given++ >= this.limits.wanted) break;
      yield item;
    }
    this.close();
  }

  private *readRun(from: number, to: number): Generator<T> {
    for (const record of this.file!.records(from, to)) yield this.sortable.decode(record);
  }

  /** Releases memory and disk. */
  close(): void {
    this.chunks = [];
    this.chunk = [];
    this.file?.close();
  }
}

interface Head<T> {
  item: T;
  /** Index of the source: of equal items the older comes first. */
  source: number;
  rest: Iterator<T>;
}

/** Merges ordered sources, whose first items are in a heap. */
function* merged<T>(sources: Iterable<T>[], { compare }: Sortable<T>): Generator<T> {
  const isBefore = (a: Head<T>, b: Head<T>): boolean => (compare(a.item, b.item) || a.source - b.source) < 0;
  const heap: Head<T>[] = [];
  for (const [source, items] of sources.entries()) {
    const rest = items[Symbol.iterator]();
    const { done, value } = rest.next();
    if (!done) heap.push({ item: value, source, rest });
  }
  for (let at = (heap.length >> 1) - 1; at >= 0; at--) sink(heap, at, isBefore);
  while (heap.length > 0) {
    const first = heap[0]!;
    yield first.item;
    const { done, value } = first.rest.next();
    if (!done) first.item = value;
    else {
      const last = heap.pop()!;
      if (heap.length === 0) return;
      if (last !== first) heap[0] = last;
    }
    sink(heap, 0, isBefore);
  }
}

/** Moves the item at `start` down until it precedes all below. */
function sink<T>(heap: Head<T>[], start: number, isBefore: (a: Head<T>, b: Head<T>) => boolean): void {
  const head = heap[start]!;
  let at = start;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
    if (!isBefore(heap[child]!, head)) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = head;
}
