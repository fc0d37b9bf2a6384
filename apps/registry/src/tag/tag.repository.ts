import { countLimit, type Page, window } from '@moothall/contracts';
import { collectionOf, isDuplicateKey, writeAll } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { ContainerRepositories } from '../repository/container-repository.repository';
import type { ContainerRepository } from '../repository/container-repository.schema';
import type { Tag } from './tag.schema';

/** A tag and the manifest that it pointed to when its deletion was planned. */
export interface PlannedTag {
  name: string;
  digest: string;
}

/** Every query on tags. */
@Injectable()
export class Tags {
  constructor(
    @InjectModel('Tag') private readonly tags: Model<Tag>,
    private readonly repositories: ContainerRepositories,
  ) {}

  find(repositoryId: number, name: string): Promise<Tag | null> {
    return this.tags.findOne({ repositoryId, name }).lean<Tag>();
  }

  /** Any tag of an image. */
  findByDigest(repositoryId: number, digest: string): Promise<Tag | null> {
    return this.tags.findOne({ repositoryId, digest }).lean<Tag>();
  }

  findAll(repositoryId: number, names: readonly string[]): Promise<Tag[]> {
    return this.tags.find({ repositoryId, name: { $in: [...names] } }).lean<Tag[]>();
  }

  /** By name. */
  async page(repository: ContainerRepository, input: { page: number; per_page: number }): Promise<Page<Tag>> {
    const { skip, limit } = window(input);
    const items = await this.tags
      .find({ repositoryId: repository._id })
      .sort({ name: 1 })
      .skip(skip)
      .limit(limit)
      .lean<Tag[]>();
    const total = await this.count(repository);
    return { items, total: total > countLimit ? undefined : total };
  }

  first(repositoryId: number, limit: number): Promise<Tag[]> {
    return this.tags.find({ repositoryId }).sort({ name: 1 }).limit(limit).lean<Tag[]>();
  }

  /** Counted once until the tags change: lists must not get slower with the number of tags. */
  async count({ _id, tagsVersion, tagsCount }: ContainerRepository): Promise<number> {
    if (tagsCount.version === tagsVersion) return tagsCount.count;
    const count = await this.tags.countDocuments({ repositoryId: _id });
    await this.repositories.noteCount(_id, tagsVersion, count);
    return count;
  }

  /** All tags of a repository, unordered. */
  each(repositoryId: number): AsyncIterable<Pick<Tag, 'name' | 'digest' | 'imageCreatedAt'>> {
    const fields = { _id: 0, name: 1, digest: 1, imageCreatedAt: 1 } as const;
    return this.tags.find({ repositoryId }).select(fields).lean<Tag>().cursor({ batchSize: 5000 });
  }

  /** Stores a tag as read, unless a later read was stored. */
  async keep(tag: Tag): Promise<void> {
    const { repositoryId, name, seenAt } = tag;
    try {
      await this.tags.updateOne({ repositoryId, name, seenAt: { $lte: seenAt } }, { $set: tag }, { upsert: true });
    } catch (error) {
      if (!isDuplicateKey(error, 'name')) throw error;
    }
    await this.repositories.noteChange(repositoryId, true);
  }

  /** Removes a missing tag, unless a later read found it. */
  async forget(repositoryId: number, name: string, seenAt: Date): Promise<void> {
    const { deletedCount } = await this.tags.deleteOne({ repositoryId, name, seenAt: { $lte: seenAt } });
    if (deletedCount > 0) await this.repositories.noteChange(repositoryId, false);
  }

  /** Tags that point to another manifest by now stay. */
  async forgetPlanned(repositoryId: number, planned: readonly PlannedTag[]): Promise<void> {
    const deletions = planned.map(({ name, digest }) => ({ deleteOne: { filter: { repositoryId, name, digest } } }));
    await writeAll(collectionOf(this.tags), deletions);
    await this.repositories.noteChange(repositoryId, false);
  }

  async removeOfRepository(repositoryId: number): Promise<void> {
    await this.tags.deleteMany({ repositoryId });
  }
}
