import { accessRequestErrors, type Page } from '@moothall/contracts';
import { findPage, isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { SourceKey } from '../member/source';
import type { AccessRequestDocument } from './access-request.schema';

const heldForMs = 60_000;

/** Every query on access requests. */
@Injectable()
export class AccessRequests {
  constructor(@InjectModel('AccessRequest') private readonly model: Model<AccessRequestDocument>) {}

  async page(source: SourceKey, input: { page: number; per_page: number }): Promise<Page<AccessRequestDocument>> {
    return findPage(this.model, { source }, { requestedAt: 1, _id: 1 }, input);
  }

  /** @throws access_request.not_found */
  async get(source: SourceKey, userId: number): Promise<AccessRequestDocument> {
    const request = await this.model.findById(keyOf(source, userId)).lean<AccessRequestDocument>();
    if (!request) throw accessRequestErrors.notFound();
    return request;
  }

  async has(source: SourceKey, userId: number): Promise<boolean> {
    return (await this.model.exists({ _id: keyOf(source, userId) })) !== null;
  }

  /** @throws access_request.exists */
  async add(source: SourceKey, userId: number): Promise<AccessRequestDocument> {
    const request = { _id: keyOf(source, userId), source, userId, requestedAt: new Date() };
    await this.model.create(request).catch((error: unknown) => {
      throw isDuplicateKey(error) ? accessRequestErrors.exists() : error;
    });
    return request;
  }

  /**
   * Locks a request while it is approved, so that it cannot be denied. @throws access_request.not_found if it was
   * answered already
   */
  async hold(source: SourceKey, userId: number): Promise<void> {
    const held = { $set: { approvedAt: new Date() } };
    const { matchedCount } = await this.model.updateOne({ _id: keyOf(source, userId) }, held);
    if (matchedCount === 0) throw accessRequestErrors.notFound();
  }

  /** Deletes a locked request. */
  async end(source: SourceKey, userId: number): Promise<void> {
    await this.model.deleteOne({ _id: keyOf(source, userId) });
  }

  /** @returns whether a request without a started approval existed */
  async withdraw(source: SourceKey, userId: number): Promise<boolean> {
    const given = { $lt: new Date(Date.now() - heldForMs) };
    const free = { _id: keyOf(source, userId), $or: [{ approvedAt: null }, { approvedAt: given }] };
    const { deletedCount } = await this.model.deleteOne(free);
    return deletedCount === 1;
  }

  async putBack(request: AccessRequestDocument): Promise<void> {
    await this.model.create(request);
  }

  async forget(source: SourceKey): Promise<void> {
    await this.model.deleteMany({ source });
  }

  async forgetUser(userId: number): Promise<void> {
    await this.model.deleteMany({ userId });
  }
}

const keyOf = (source: SourceKey, userId: number): string => `${source}/${userId}`;
