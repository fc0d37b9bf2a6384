import { type Given, invitationErrors, onlyGiven, type Page } from '@moothall/contracts';
import { Counters, findPage, isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { SourceKey } from '../member/source';
import { escapeRegex } from '../project/search-filter';
import type { InvitationDocument } from './invitation.schema';

type New = Omit<InvitationDocument, '_id' | 'emailKey' | 'createdAt'>;

export const emailKeyOf = (email: string): string => email.trim().toLowerCase();

/** Every query on invitations. */
@Injectable()
export class Invitations {
  constructor(
    @InjectModel('Invitation') readonly model: Model<InvitationDocument>,
    private readonly counters: Counters,
  ) {}

  page(
    source: SourceKey,
    { query, ...input }: { query?: string | undefined; page: number; per_page: number },
  ): Promise<Page<InvitationDocument>> {
    const named = query ? { emailKey: { $regex: escapeRegex(emailKeyOf(query)) } } : {};
    return findPage(this.model, { source, ...named }, { emailKey: 1 }, input);
  }

  count(source: SourceKey): Promise<number> {
    return this.model.countDocuments({ source });
  }

  /** @returns undefined if the address is already invited */
  async add(invitation: New): Promise<InvitationDocument | undefined> {
    const document = {
      _id: await this.counters.next('invitations'),
      ...invitation,
      emailKey: emailKeyOf(invitation.email),
    };
    try {
      return (await this.model.create(document)).toObject();
    } catch (error) {
      if (isDuplicateKey(error)) return undefined;
      throw error;
    }
  }

  /** @throws invitation.not_found */
  async get(source: SourceKey, email: string): Promise<InvitationDocument> {
    const invitation = await this.model.findOne({ source, emailKey: emailKeyOf(email) }).lean<InvitationDocument>();
    if (!invitation) throw invitationErrors.notFound();
    return invitation;
  }

  /** @throws invitation.not_found */
  async change(
    _id: number,
    changes: Given<Pick<InvitationDocument, 'accessLevel' | 'expiresAt'>>,
  ): Promise<InvitationDocument> {
    const changed = await this.model
      .findOneAndUpdate({ _id }, { $set: onlyGiven(changes) }, { returnDocument: 'after' })
      .lean<InvitationDocument>();
    if (!changed) throw invitationErrors.notFound();
    return changed;
  }

  /** @returns whether it existed */
  async remove(_id: number): Promise<boolean> {
    const { deletedCount } = await this.model.deleteOne({ _id });
    return deletedCount === 1;
  }

  async forget(source: SourceKey): Promise<void> {
    await this.model.deleteMany({ source });
  }
}
