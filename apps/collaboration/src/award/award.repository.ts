import { collectionOf, hasRoom, RecordIds } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import type { Model } from 'mongoose';
import { type Award, type Awardable, mostAwards } from '../activity/awardable';

/** Writes awards inside records. */
@Injectable()
export class Awards {
  constructor(private readonly ids: RecordIds) {}

  /** @returns undefined if the user has awarded that emoji, the record is gone or it is at the limit */
  async add<T extends Awardable & { _id: number }>(
    model: Model<T>,
    recordId: number,
    name: string,
    userId: number,
  ): Promise<Award | undefined> {
    const now = new Date();
    const award: Award = { id: await this.ids.next('awards'), name, userId, createdAt: now, updatedAt: now };
    // One award of a name per person, also with concurrent requests: condition and write are one command.
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
