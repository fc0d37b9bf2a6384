import type { Engine } from '../engine/engine';
import type { Index } from '../index/index-spec';
import { Budget } from '../plan/budget';
import type { Collection } from '../storage/collection';
import { removeMatches } from './remove-matches';
import { runStep } from './write-step';

/** Interval of the search for expired documents, as in MongoDB. */
const EVERY_MS = 60_000;

/** Deletes expired documents of TTL indexes. */
export class Expiry {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private readonly budget = new Budget();

  constructor(private readonly engine: Engine) {}

  start(everyMs = EVERY_MS): void {
    this.timer = setInterval(() => {
      this.running ??= this.removeExpired()
        .catch((error: Error) => this.engine.log('expired documents could not be removed', { error: error.message }))
        .finally(() => {
          this.running = undefined;
        });
    }, everyMs).unref();
  }

  /** Deletes documents that have expired by `now`, in every collection. */
  async removeExpired(now = new Date()): Promise<void> {
    for (const collection of [...this.engine.catalog.all()]) {
      for (const index of collection.indexes) {
        const isExpiring = index.record.ready && index.expireAfterSeconds !== undefined;
        if (isExpiring && !collection.isDropped) await this.expire(collection, index, now);
      }
    }
  }

  private async expire(collection: Collection, index: Index, now: Date): Promise<void> {
    const [field] = index.fields as [string];
    const latest = new Date(now.getTime() - index.expireAfterSeconds! * 1000);
    // For an array of dates the earliest counts; other values never expire. Both follow from $lte on dates.
    const expired = { [field]: { $lte: latest } };
    const partial = index.partialFilter;
    const query = { filter: partial ? { $and: [expired, partial] } : expired, hint: index.name };
    await runStep(
      this.engine,
      removeMatches(this.engine, collection.namespace, query, this.budget, () => undefined),
    );
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.budget.abandon();
    await this.running;
  }
}
