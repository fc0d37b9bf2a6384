import type { Page } from '@moothall/contracts';
import { findPage } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { FollowDocument } from './follow.schema';

type Paging = { page: number; per_page: number };

/** Every query on followers. */
@Injectable()
export class Follows {
  constructor(@InjectModel('Follow') private readonly follows: Model<FollowDocument>) {}

  /** @returns whether it was added */
  async add(followerId: number, followedId: number): Promise<boolean> {
    const written = await this.follows.updateOne(
      { _id: keyOf(followerId, followedId) },
      { $setOnInsert: { followerId, followedId } },
      { upsert: true },
    );
    return written.upsertedCount === 1;
  }

  /** @returns whether it was removed */
  async remove(followerId: number, followedId: number): Promise<boolean> {
    const { deletedCount } = await this.follows.deleteOne({ _id: keyOf(followerId, followedId) });
    return deletedCount === 1;
  }

  countOf(followerId: number): Promise<number> {
    return this.follows.countDocuments({ followerId });
  }

  followers(followedId: number, input: Paging): Promise<Page<FollowDocument>> {
    return findPage(this.follows, { followedId }, { followerId: 1 }, input);
  }

  following(followerId: number, input: Paging): Promise<Page<FollowDocument>> {
    return findPage(this.follows, { followerId }, { followedId: 1 }, input);
  }

  /** Both directions of a deleted user. */
  async forget(userId: number): Promise<void> {
    await this.follows.deleteMany({ followerId: userId });
    await this.follows.deleteMany({ followedId: userId });
  }
}

const keyOf = (followerId: number, followedId: number): string => `${followerId}/${followedId}`;
