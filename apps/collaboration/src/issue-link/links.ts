import type { OperationError } from '@moothall/contracts';
import { collectionOf, isDuplicateKey, type RecordIds } from '@moothall/database';
import type { Model } from 'mongoose';
import { endsOf, type LinkDocument } from './link.schema';

type NewLink = Pick<LinkDocument, 'sourceId' | 'targetId' | 'type'>;

/** Every query on links between records of one kind. */
export abstract class Links {
  constructor(
    protected readonly model: Model<LinkDocument>,
    private readonly ids: RecordIds,
    private readonly refusals: { notFound(): OperationError; taken(): OperationError },
  ) {}

  /** Links of a record as either end, oldest first. */
  listFor(id: number): Promise<LinkDocument[]> {
    const touching = { $or: [{ sourceId: id }, { targetId: id }] };
    return this.model.find(touching).sort({ createdAt: 1, _id: 1 }).lean<LinkDocument[]>().exec();
  }

  /** @throws the not-found error of its kind, also for a link of other records */
  async get(end: number, id: number): Promise<LinkDocument> {
    const link = await this.model.findById(id).lean<LinkDocument>();
    if (!link || (link.sourceId !== end && link.targetId !== end)) throw this.refusals.notFound();
    return link;
  }

  /** @throws the taken error of its kind, also for the second of two concurrent requests */
  async add(link: NewLink): Promise<LinkDocument> {
    const now = new Date();
    const _id = await this.ids.next(this.model.collection.collectionName);
    const added: LinkDocument = { _id, ...link, ends: endsOf(link), createdAt: now, updatedAt: now };
    await collectionOf(this.model)
      .insertOne(added)
      .catch((error: unknown) => {
        throw isDuplicateKey(error, 'ends') ? this.refusals.taken() : error;
      });
    return added;
  }

  /** @throws the not-found error of its kind if another request removed it first */
  async remove(id: number): Promise<void> {
    const { deletedCount } = await this.model.deleteOne({ _id: id });
    if (deletedCount === 0) throw this.refusals.notFound();
  }

  /** Removes the links of deleted records, as either end. */
  async removeFrom(ids: number[]): Promise<void> {
    await this.model.deleteMany({ $or: [{ sourceId: { $in: ids } }, { targetId: { $in: ids } }] });
  }
}
