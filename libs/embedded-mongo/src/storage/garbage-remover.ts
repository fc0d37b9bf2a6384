import type { Log } from '../log';
import type { Catalog, Garbage } from './catalog';
import { prefixKey } from './keys';
import type { Store } from './store';

/** Keys removed in one turn of the writer. */
const KEYS_PER_TURN = 2000;

/** Removes the bytes of dropped collections and indexes, little by little and also after a restart. */
export class PeriodicJobRunner {
  private running: Promise<void> | undefined;
  private isStopped = false;

  constructor(
    private readonly store: Store,
    private readonly catalog: Catalog,
    private readonly log: Log,
  ) {}

  wake(): void {
    this.running ??= this.removeAll()
      .catch((error: Error) => this.log('what was dropped could not be removed', { error: error.message }))
      .finally(() => {
        this.running = undefined;
      });
  }

  private async removeAll(): Promise<void> {
    for (
      let garbage = this.catalog.garbage();
      garbage.length > 0 && !this.isStopped;
      garbage = this.catalog.garbage()
    ) {
      for (const piece of garbage) await this.remove(piece);
    }
  }

  private async remove(piece: Garbage): Promise<void> {
    while (!this.isStopped && !(await this.store.writer.run(() => this.removeSome(piece), 'removal')));
  }

  /** @returns whether nothing is left */
  private removeSome(piece: Garbage): boolean {
    const database = piece.kind === 'documents' ? this.store.documents : this.store.entries;
    const range = { start: prefixKey(piece.id), end: prefixKey(piece.id + 1), limit: KEYS_PER_TURN };
    // Collected first: a cursor fails if its keys are removed during its use.
    const keys = [...database.getKeys(range)];
    for (const key of keys) database.remove(key);
    if (keys.length === KEYS_PER_TURN) return false;
    this.catalog.forgetGarbage(piece);
    return true;
  }

  /** Resolves when everything dropped so far is removed. */
  async idle(): Promise<void> {
    await this.running;
  }

  /** Resolves when no step is running. The rest is removed after the next start. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
  }
}
