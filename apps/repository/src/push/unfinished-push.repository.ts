import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { UnfinishedPush } from './unfinished-push.schema';

/** Queries on pushes that started and whose events are not published yet. */
@Injectable()
export class UnfinishedPushes {
  constructor(@InjectModel('PushIntent') private readonly intents: Model<UnfinishedPush>) {}

  async add(intent: Omit<UnfinishedPush, '_id' | 'createdAt'>): Promise<UnfinishedPush> {
    const created = await this.intents.create({ _id: randomUUID(), ...intent });
    return created.toObject() as UnfinishedPush;
  }

  listOnStorages(storages: readonly string[]): Promise<UnfinishedPush[]> {
    return this.intents
      .find({ storage: { $in: [...storages] } })
      .sort({ createdAt: 1 })
      .lean<UnfinishedPush[]>();
  }

  /** Sets the new storage of pushes whose events are not published yet. */
  async moveProject(projectId: number, storage: string): Promise<void> {
    await this.intents.updateMany({ projectId }, { $set: { storage } });
  }

  async remove(id: string): Promise<void> {
    await this.intents.deleteOne({ _id: id });
  }
}
