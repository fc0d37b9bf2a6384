import { batched } from '@moothall/background';
import type { Model } from 'mongoose';
import { collectionOf } from './collection-of';

/**
 * Reads documents by id. What is asked for in one turn of the event loop is one query, whoever asks. Nothing is kept: each
 * turn reads anew. The documents are shared by those who asked for them and are not to be changed.
 */
export class PointReads<T extends { _id: unknown }> {
  /** @returns null when there is no such document */
  readonly find = batched<T['_id'], T | null>((ids) => this.read(ids));

  constructor(private readonly model: Model<T>) {}

  private async read(ids: T['_id'][]): Promise<(T | null)[]> {
    const filter = { _id: { $in: [...new Set(ids)] } };
    const found = await collectionOf(this.model).find(filter).toArray();
    const byId = new Map<unknown, T>(found.map((document) => [document._id, document]));
    return ids.map((id) => byId.get(id) ?? null);
  }
}
