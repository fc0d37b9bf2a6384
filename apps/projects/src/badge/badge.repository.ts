import { badgeErrors } from '@moothall/contracts';
import { Counters } from '@moothall/database';
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

  /** Badges of several sources, source after source, each in order of creation. */
  async list(sources: SourceKey[], name?: string): Promise<BadgeDocument[]> {
    const filter = { source: { $in: sources }, ...(name !== undefined && { name }) };
    const badges = await this.model.find(filter).sort({ _id: 1 }).lean<BadgeDocument[]>();
    return sources.flatMap((source) => badges.filter((badge) => badge.source === source));
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
