import { badgeErrors, type Page, window } from '@moothall/contracts';
import { Counters, collectionOf } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { SourceKey } from '../member/source';
import type { BadgeDocument } from './badge.schema';

interface BadgeInput {
  link_url?: string | undefined;
  image_url?: string | undefined;
  name?: string | undefined;
}

/** Every query on badges. */
@Injectable()
export class Badges {
  constructor(
    @InjectModel('Badge') readonly model: Model<BadgeDocument>,
    private readonly counters: Counters,
  ) {}

  /** All badges of one source, in order of creation. */
  async list(source: SourceKey): Promise<BadgeDocument[]> {
    return this.model.find({ source }).sort({ _id: 1 }).lean<BadgeDocument[]>();
  }

  /** Badges of several sources in the order of the sources, each in order of creation. */
  async page(
    sources: SourceKey[],
    { name, ...input }: { name?: string | undefined; page: number; per_page: number },
  ): Promise<Page<BadgeDocument>> {
    const filters = sources.map((source) => ({ source, ...(name !== undefined && { name }) }));
    const counts = await Promise.all(filters.map((filter) => collectionOf(this.model).countDocuments(filter)));
    const { skip, limit } = window(input);
    const items: BadgeDocument[] = [];
    let before = 0;
    for (const [at, filter] of filters.entries()) {
      const count = counts[at] ?? 0;
      const passed = Math.max(skip - before, 0);
      before += count;
      if (passed >= count || items.length === limit) continue;
      const some = this.model.find(filter).sort({ _id: 1 }).skip(passed);
      items.push(...(await some.limit(limit - items.length).lean<BadgeDocument[]>()));
    }
    return { items, total: before };
  }

  /** @throws badge.not_found */
  async get(sources: SourceKey[], id: number): Promise<BadgeDocument> {
    const badge = await this.model.findOne({ _id: id, source: { $in: sources } }).lean<BadgeDocument>();
    if (!badge) throw badgeErrors.notFound();
    return badge;
  }

  async add(source: SourceKey, input: BadgeInput & { link_url: string; image_url: string }) {
    const badge = { source, name: input.name ?? null, linkUrl: input.link_url, imageUrl: input.image_url };
    return (await this.model.create({ _id: await this.counters.next('badges'), ...badge })).toObject();
  }

  /** @throws badge.not_found */
  async change(source: SourceKey, id: number, { link_url, image_url, name }: BadgeInput): Promise<BadgeDocument> {
    const set = {
      ...(link_url !== undefined && { linkUrl: link_url }),
      ...(image_url !== undefined && { imageUrl: image_url }),
      ...(name !== undefined && { name }),
    };
    const badge = await this.model
      .findOneAndUpdate({ _id: id, source }, { $set: set }, { returnDocument: 'after' })
      .lean<BadgeDocument>();
    if (!badge) throw badgeErrors.notFound();
    return badge;
  }

  /** @throws badge.not_found */
  async remove(source: SourceKey, id: number): Promise<void> {
    const { deletedCount } = await this.model.deleteOne({ _id: id, source });
    if (deletedCount === 0) throw badgeErrors.notFound();
  }

  async forget(source: SourceKey): Promise<void> {
    await this.model.deleteMany({ source });
  }
}
