import { collectionOf, hasRoom, RecordIds } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import type { Model } from 'mongoose';
import { type Award, type Awardable, mostAwards } from '../activity/awardable';

/** Writes on the awards inside of records. */
@Injectable()
export class Awards {
  constructor(private readonly ids: RecordIds) {}

  /** @returns undefined when the user has awarded that already, the record is gone or has as many as it may have */
  async add<T extends Awardable & { _id: number }>(
    model: Model<T>,
    recordId: number,
    name: string,
    userId: number,
  ): Promise<Award | undefined> {
    const now = new Date();
    const award: Award = { id: await this.ids.next('awards'), name, userId, createdAt: now, updatedAt: now };
    // One of a name for each person, also when they ask twice at once: condition and write are one.
    const added = await collectionOf(model).updateOne(
      {
        _id: recordId,
        awards: { $not: { $elemMatch: { name, userId } } },
        ...hasRoom('awards', mostAwards),
      },
      { $push: { awards: award } },
    );
    return added.matchedCount === 1 ? award : undefined;
  }

  async remove<T extends Awardable & { _id: number }>(model: Model<T>, recordId: number, id: number): Promise<void> {
    await collectionOf(model).updateOne({ _id: recordId }, { $pull: { awards: { id } } });
  }
}
