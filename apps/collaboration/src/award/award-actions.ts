import {
  type AwardEmoji,
  awardErrors,
  type Caller,
  invalidRecord,
  type Page,
  pageOf,
  projectErrors,
} from '@moothall/contracts';
import { UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import type { Model } from 'mongoose';
import { type Award, type Awardable, mostAwards } from '../activity/awardable';
import { Awards } from './award.repository';
import { viewAward } from './award.view';
import { emojiNamed } from './emoji-name';

/** A record that takes awards, found and checked for a caller. */
export interface AwardTarget<T extends Awardable & { _id: number } = Awardable & { _id: number }> {
  type: AwardEmoji['awardable_type'];
  document: T;
  model: Model<T>;
  caller: Caller;
  /** Whether its project is archived: then nobody may award. */
  isArchived: boolean;
}

/** Operations on awards of any kind of record. See docs/api/notes.md#10. */
@Injectable()
export class AwardActions {
  constructor(
    private readonly awards: Awards,
    private readonly users: UserDirectory,
  ) {}

  /** Oldest first. */
  async list(target: AwardTarget, input: { page: number; per_page: number }): Promise<Page<AwardEmoji>> {
    const { items, total } = pageOf(target.document.awards, input);
    const users = await this.users.summaries(items.map(({ userId }) => userId));
    return { items: items.map((award) => viewAward(award, onOf(target), users)), total };
  }

  /** @throws award.not_found */
  async get(target: AwardTarget, id: number): Promise<AwardEmoji> {
    return this.view(target, find(target, id));
  }

  /**
   * @throws project.archived; award.not_found for an unknown emoji name; award.taken; common.invalid_record at the
   *   limit
   */
  async create(target: AwardTarget, name: string): Promise<AwardEmoji> {
    requireWritable(target);
    const emoji = emojiNamed(name);
    if (!emoji) throw awardErrors.notFound();
    if (target.document.awards.length >= mostAwards) throw invalidRecord({ base: ['has too many awards'] });
    const award = await this.awards.add(target.model, target.document._id, emoji, target.caller.id);
    if (!award) throw awardErrors.taken();
    return this.view(target, award);
  }

  /** @throws project.archived; award.not_found; award.not_own */
  async remove(target: AwardTarget, id: number): Promise<void> {
    requireWritable(target);
    const award = find(target, id);
    if (award.userId !== target.caller.id && !target.caller.isAdmin) throw awardErrors.notOwn();
    await this.awards.remove(target.model, target.document._id, id);
  }

  private async view(target: AwardTarget, award: Award): Promise<AwardEmoji> {
    return viewAward(award, onOf(target), await this.users.summaries([award.userId]));
  }
}

function requireWritable({ isArchived }: AwardTarget): void {
  if (isArchived) throw projectErrors.archived();
}

const onOf = ({ type, document }: AwardTarget) => ({ type, id: document._id });

function find({ document }: AwardTarget, id: number): Award {
  const award = document.awards.find((one) => one.id === id);
  if (!award) throw awardErrors.notFound();
  return award;
}
