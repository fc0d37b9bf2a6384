import type { Model } from 'mongoose';
import { FieldReads } from './field-reads';

/** Reads documents by id, as {@link FieldReads} does by any field. */
export class PointReads<T extends { _id: unknown }> {
  private readonly reads: FieldReads<T, '_id'>;

  constructor(model: Model<T>) {
    this.reads = new FieldReads<T, '_id'>(model, '_id');
  }

  /** @returns null if the document does not exist */
  async find(id: T['_id']): Promise<T | null> {
    return (await this.reads.find(id))[0] ?? null;
  }

  /** By id; missing ones are omitted. */
  async findAll(ids: Iterable<T['_id']>): Promise<Map<T['_id'], T>> {
    const found = await this.reads.findAll(ids);
    return new Map([...found.values()].flat().map((document) => [document._id, document]));
  }
}
