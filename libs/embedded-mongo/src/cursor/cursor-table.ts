import { randomBytes } from 'node:crypto';
import { MongoError } from '../errors';
import type { Budget } from '../plan/budget';

/** The source of a cursor's documents. */
export interface Source {
  /** Up to `limit` documents as BSON, and whether there may be more. */
  nextBatch(limit: number, budget: Budget): Promise<{ documents: Buffer[]; isDone: boolean }>;
  close(): void;
}

export interface OpenCursor {
  id: bigint;
  namespace: string;
  source: Source;
  isBusy: boolean;
  lastUsed: number;
  noTimeout: boolean;
}

/** An unused cursor is closed after this time, as in MongoDB. */
const IDLE_MS = 10 * 60 * 1000;
const SWEEP_MS = 60 * 1000;
/** Limits the resources of abandoned cursors within that time. */
const MAX_CURSORS = 10_000;

/** Cursors that wait for their next getMore. */
export class CursorTable {
  private readonly cursors = new Map<bigint, OpenCursor>();
  private readonly timer = setInterval(() => this.closeIdle(), SWEEP_MS).unref();

  /** @throws ExceededMemoryLimit (292) when too many are open */
  open(namespace: string, source: Source, noTimeout = false): bigint {
    if (this.cursors.size >= MAX_CURSORS) {
      throw new MongoError('ExceededMemoryLimit', `too many open cursors (${MAX_CURSORS})`);
    }
    const id = randomBytes(8).readBigUInt64LE() >> 1n || 1n;
    this.cursors.set(id, { id, namespace, source, isBusy: false, lastUsed: Date.now(), noTimeout });
    return id;
  }

  /** @throws CursorNotFound (43); CursorInUse (12051) when another call reads it */
  use(id: bigint): OpenCursor {
    const cursor = this.cursors.get(id);
    if (!cursor) throw new MongoError('CursorNotFound', `cursor id ${id} not found`);
    if (cursor.isBusy) throw new MongoError(12051, `cursor id ${id} is already in use`);
    cursor.isBusy = true;
    return cursor;
  }

  release(cursor: OpenCursor): void {
    cursor.isBusy = false;
    cursor.lastUsed = Date.now();
  }

  /** @returns whether the cursor existed */
  kill(id: bigint): boolean {
    const cursor = this.cursors.get(id);
    cursor?.source.close();
    return this.cursors.delete(id);
  }

  get size(): number {
    return this.cursors.size;
  }

  /** Closes cursors that were idle for too long. */
  closeIdle(now = Date.now()): void {
    for (const { id, isBusy, lastUsed, noTimeout } of this.cursors.values()) {
      if (!isBusy && !noTimeout && now - lastUsed > IDLE_MS) this.kill(id);
    }
  }

  close(): void {
    clearInterval(this.timer);
    for (const id of [...this.cursors.keys()]) this.kill(id);
  }
}
