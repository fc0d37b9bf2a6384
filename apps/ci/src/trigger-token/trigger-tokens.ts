import { triggerErrors } from '@moothall/contracts';
import { Counters, findPage } from '@moothall/database';
import { SecretBox, sha256 } from '@moothall/secrets';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { newToken } from '../runner/runner.repository';
import type { TriggerToken } from './trigger-token.schema';

/** The prefix that v4 clients and secret scanners know. */
const prefix = 'glptt-';

/** Every query on trigger tokens. */
@Injectable()
export class TriggerTokens {
  constructor(
    @InjectModel('TriggerToken') readonly model: Model<TriggerToken>,
    private readonly counters: Counters,
    private readonly box: SecretBox,
  ) {}

  page(projectId: number, input: { page: number; per_page: number }) {
    return findPage(this.model, { projectId }, { _id: 1 }, input);
  }

  /** @throws pipeline_trigger.not_found */
  async get(projectId: number, id: number): Promise<TriggerToken> {
    const found = await this.model.findOne({ _id: id, projectId }).lean<TriggerToken>();
    if (!found) throw triggerErrors.notFound();
    return found;
  }

  async add(projectId: number, ownerId: number, description: string): Promise<TriggerToken> {
    const token = prefix + newToken();
    const _id = await this.counters.next('triggers');
    const secrets = { tokenSha256: sha256(token), sealed: this.box.seal(token) };
    return (await this.model.create({ _id, projectId, ownerId, description, ...secrets })).toObject();
  }

  /** @throws pipeline_trigger.not_found */
  async describe(projectId: number, id: number, description: string): Promise<TriggerToken> {
    const found = await this.model
      .findOneAndUpdate({ _id: id, projectId }, { $set: { description } }, { returnDocument: 'after' })
      .lean<TriggerToken>();
    if (!found) throw triggerErrors.notFound();
    return found;
  }

  /** @throws pipeline_trigger.not_found */
  async remove(projectId: number, id: number): Promise<void> {
    const { deletedCount } = await this.model.deleteOne({ _id: id, projectId });
    if (deletedCount === 0) throw triggerErrors.notFound();
  }

  /** @throws pipeline_trigger.unknown_token */
  async getByToken(token: string): Promise<TriggerToken> {
    const found = await this.model.findOne({ tokenSha256: sha256(token) }).lean<TriggerToken>();
    if (!found) throw triggerErrors.unknownToken();
    return found;
  }

  /** A use does not count as a change. */
  async noteUse(id: number): Promise<void> {
    await this.model.updateOne({ _id: id }, { $set: { lastUsedAt: new Date() } }, { timestamps: false });
  }

  async removeOfProject(projectId: number): Promise<void> {
    await this.model.deleteMany({ projectId });
  }

  /** Tokens of a deleted user run nothing. */
  async removeOfOwner(ownerId: number): Promise<void> {
    await this.model.deleteMany({ ownerId });
  }
}
