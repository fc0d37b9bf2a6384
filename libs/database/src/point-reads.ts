import type { Model } from 'mongoose';

interface Wanted<T> {
  promise: Promise<T | null>;
  resolve: (document: T | null) => void;
  reject: (error: unknown) => void;
}

/**
 * Reads documents by id. What is asked for in one turn of the event loop is one query, whoever asks: under load a service
 * asks its database once per turn instead of once per request. Nothing is kept: each turn reads anew.
 * The documents are shared by those who asked for them and are not to be changed.
 */
export class PointReads<T extends { _id: unknown }> {
  private wanted = new Map<unknown, Wanted<T>>();

  constructor(private readonly model: Model<T>) {}

  /** @returns null when there is no such document */
  find(id: T['_id']): Promise<T | null> {
    const asked = this.wanted.get(id);
    if (asked) return asked.promise;
    if (this.wanted.size === 0) setImmediate(() => void this.read());
    const { promise, resolve, reject } = withResolvers<T | null>();
    this.wanted.set(id, { promise, resolve, reject });
    return promise;
  }

  private async read(): Promise<void> {
    const wanted = this.wanted;
    this.wanted = new Map();
    try {
      const filter = { _id: { $in: [...wanted.keys()] as never[] } };
      for await (const document of this.model.collection.find(filter)) {
        wanted.get(document._id)?.resolve(document as unknown as T);
      }
      for (const { resolve } of wanted.values()) resolve(null);
    } catch (error) {
      for (const { reject } of wanted.values()) reject(error);
    }
  }
}

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (error: unknown) => void } {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((one, other) => {
    resolve = one;
    reject = other;
  });
  return { promise, resolve, reject };
}
