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

  /** From either end, oldest first. */
  listFor(id: number): Promise<LinkDocument[]> {
    const touching = { $or: [{ sourceId: id }, { targetId: id }] };
    return this.model.find(touching).sort({ createdAt: 1, _id: 1 }).lean<LinkDocument[]>().exec();
  }

  /** @throws what is said of a link that is not there, also for one of other records */
  async get(end: number, id: number): Promise<LinkDocument> {
    const link = await this.model.findById(id).lean<LinkDocument>();
    if (!link || (link.sourceId !== end && link.targetId !== end)) throw this.refusals.notFound();
    return link;
  }

  /** @throws what is said of linked ones, also to the second of two at once */
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

  /** @throws what is said of a link that is not there, when somebody else was first */
  async remove(id: number): Promise<void> {
    const { deletedCount } = await this.model.deleteOne({ _id: id });
    if (deletedCount === 0) throw this.refusals.notFound();
  }

  /** Of records that go, from either end. */
  async removeFrom(ids: number[]): Promise<void> {
    await this.model.deleteMany({ $or: [{ sourceId: { $in: ids } }, { targetId: { $in: ids } }] });
  }
}
