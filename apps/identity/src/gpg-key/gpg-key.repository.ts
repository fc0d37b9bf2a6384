import { gpgKeyErrors, type Page } from '@moothall/contracts';
import { Counters, findPage } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { GpgKeyDocument } from './gpg-key.schema';
import type { ParsedGpgKey } from './parse-gpg-key';

/** Every query on GPG keys. */
@Injectable()
export class GpgKeys {
  constructor(
    @InjectModel('GpgKey') private readonly keys: Model<GpgKeyDocument>,
    private readonly counters: Counters,
  ) {}

  page(userId: number, input: { page: number; per_page: number }): Promise<Page<GpgKeyDocument>> {
    return findPage(this.keys, { userId }, { _id: 1 }, input);
  }

  /** @throws gpg_key.not_found */
  async get(userId: number, id: number): Promise<GpgKeyDocument> {
    const key = await this.keys.findOne({ _id: id, userId }).lean<GpgKeyDocument>();
    if (!key) throw gpgKeyErrors.notFound();
    return key;
  }

  /** The key with one of these ids, or with such a subkey; if ids clash, the oldest key. */
  findBySigner(keyIds: string[]): Promise<GpgKeyDocument | null> {
    return this.keys
      .findOne({ keyIds: { $in: keyIds } })
      .sort({ _id: 1 })
      .lean<GpgKeyDocument>();
  }

  /** @throws MongoServerError 11000 if the key exists */
  async add(userId: number, { text, fingerprint, keyIds }: ParsedGpgKey): Promise<GpgKeyDocument> {
    const _id = await this.counters.next('gpg_keys');
    const made = await this.keys.create({ _id, userId, key: text, fingerprint, keyIds });
    return made.toObject();
  }

  /** @throws gpg_key.not_found */
  async remove(userId: number, id: number): Promise<void> {
    const { deletedCount } = await this.keys.deleteOne({ _id: id, userId });
    if (deletedCount === 0) throw gpgKeyErrors.notFound();
  }

  async removeOfUser(userId: number): Promise<void> {
    await this.keys.deleteMany({ userId });
  }
}
