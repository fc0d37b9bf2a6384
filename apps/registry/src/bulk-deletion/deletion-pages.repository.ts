import { collectionOf, insertEach } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { removalSize } from '../tag/remove-tags';
import type { PlannedTag } from '../tag/tag.repository';
import type { DeletionPage } from './deletion-page.schema';

/** Every query on plans of bulk deletions. */
@Injectable()
export class DeletionPages {
  constructor(@InjectModel('DeletionPage') private readonly pages: Model<DeletionPage>) {}

  /** A plan is executed only after it is chosen. */
  async addPlan(planId: string, repositoryId: number, tags: readonly PlannedTag[]): Promise<void> {
    const createdAt = new Date();
    const pageSize = removalSize(tags.length);
    for (let number = 0; number * pageSize < tags.length; number++) {
      const part = tags.slice(number * pageSize, (number + 1) * pageSize);
      const page: DeletionPage = {
        _id: `${planId}/${number}`,
        planId,
        number,
        repositoryId,
        tags: part.map(({ name, digest }) => ({ name, digest })),
        begunAt: null,
        isDone: false,
        createdAt,
      };
      for (const failure of (await insertEach(collectionOf(this.pages), [page])).values()) throw failure;
    }
  }

  /** Starts the first page that is not done. @returns null if all are done */
  begin(planId: string, at: Date): Promise<DeletionPage | null> {
    return this.pages
      .findOneAndUpdate({ planId, isDone: false }, [{ $set: { begunAt: { $ifNull: ['$begunAt', at] } } }], {
        sort: { number: 1 },
        returnDocument: 'after',
        updatePipeline: true,
      })
      .lean<DeletionPage>();
  }

  async end(id: string): Promise<void> {
    await this.pages.updateOne({ _id: id }, { $set: { isDone: true } });
  }

  /** Whether work on a tag of that name, with another image, began within the time. */
  async hasTaken(
    repositoryId: number,
    { name, digest }: PlannedTag,
    begun: { from: Date; to: Date },
  ): Promise<boolean> {
    const tags = { $elemMatch: { name, digest: { $ne: digest } } };
    const begunAt = { $gte: begun.from, $lte: begun.to };
    return (await this.pages.exists({ repositoryId, begunAt, tags })) !== null;
  }
}
