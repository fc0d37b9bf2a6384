import type { Bytes } from './environment';

type Range = Parameters<Bytes['getRange']>[0];

/** One database of the store. It stays the same while compaction replaces its file. */
export class Part {
  private changedKeys: Set<string> | undefined;

  constructor(private database: Bytes) {}

  get(key: Uint8Array): Buffer | undefined {
    return this.database.get(key);
  }

  getBinary(key: Uint8Array): Buffer | undefined {
    return this.database.getBinary(key) as Buffer | undefined;
  }

  /** Like `getBinary`, but the bytes are only valid until the next read of the store. */
  getBinaryFast(key: Uint8Array): Buffer | undefined {
    return this.database.getBinaryFast(key) as Buffer | undefined;
  }

  getKeys(range: Range): ReturnType<Bytes['getKeys']> {
    return this.database.getKeys(range);
  }

  getRange(range: Range): ReturnType<Bytes['getRange']> {
    return this.database.getRange(range);
  }

  /** Within a transaction, as `remove`. */
  put(key: Uint8Array, value: Uint8Array): void {
    this.changedKeys?.add(Buffer.from(key).toString('latin1'));
    // Stored when the transaction is, which its writer waits for.
    this.database.put(key, value as Buffer);
  }

  remove(key: Uint8Array): void {
    this.changedKeys?.add(Buffer.from(key).toString('latin1'));
    this.database.remove(key);
  }

  get changes(): number {
    return this.changedKeys?.size ?? 0;
  }

  /** Records changed keys from now on. @returns those recorded before */
  noteChanges(): Set<string> {
    const noted = this.changedKeys ?? new Set();
    this.changedKeys = new Set();
    return noted;
  }

  forgetChanges(): void {
    this.changedKeys = undefined;
  }

  /** Makes another database equal to this one in these keys, within a transaction of the other. */
  bringUpToDate(other: Bytes, keys: Iterable<string>): void {
    for (const text of keys) {
      const key = Buffer.from(text, 'latin1');
      const value = this.database.getBinary(key) as Buffer | undefined;
      if (value === undefined) other.remove(key);
      else other.put(key, value);
    }
  }

  switchTo(database: Bytes): void {
    this.database = database;
  }
}
