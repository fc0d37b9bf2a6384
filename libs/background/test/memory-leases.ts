import type { Records } from '../src/lease';

type Stored = Record<string, unknown> & { _id: string };

/** Leases in memory, with the methods that a lease uses. */
export class MemoryLeases implements Records {
  isAway = false;
  private readonly records = new Map<string, Stored>();

  get size(): number {
    return this.records.size;
  }

  async findOne(filter: object): Promise<unknown> {
    return structuredClone(this.match(filter) ?? null);
  }

  async updateOne(filter: object, update: object, options?: { upsert: boolean }) {
    const { $set, $inc, $setOnInsert } = update as Record<string, Record<string, unknown>>;
    const found = this.match(filter);
    if (found) {
      Object.assign(found, structuredClone($set ?? {}));
      if ($inc) found.beat = Number(found.beat) + 1;
      return { matchedCount: 1, upsertedCount: 0 };
    }
    if (!options?.upsert) return { matchedCount: 0, upsertedCount: 0 };
    const { _id } = filter as Stored;
    this.records.set(_id, structuredClone({ _id, ...$setOnInsert }));
    return { matchedCount: 0, upsertedCount: 1 };
  }

  async deleteOne(filter: object): Promise<void> {
    const found = this.match(filter);
    if (found) this.records.delete(found._id);
  }

  private match(filter: object): Stored | undefined {
    if (this.isAway) throw new Error('the database is away');
    const { _id, ...fields } = filter as Stored;
    const found = this.records.get(_id);
    const isSame = ([path, value]: [string, unknown]) =>
      path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)?.[name], found) === value;
    return found && Object.entries(fields).every(isSame) ? found : undefined;
  }
}
