import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { PushIntent } from './push-intent.schema';

/** Queries on pushes that started and whose events are not published yet. */
@Injectable()
export class PushIntents {
  constructor(@InjectModel('PushIntent') private readonly intents: Model<PushIntent>) {}

  async add(intent: Omit<PushIntent, '_id' | 'createdAt'>): Promise<PushIntent> {
    const created = await this.intents.create({ _id: randomUUID(), ...intent });
    return created.toObject() as PushIntent;
  }

  listOnStorages(storages: readonly string[]): Promise<PushIntent[]> {
    return this.intents
      .find({ storage: { $in: [...storages] } })
      .sort({ createdAt: 1 })
      .lean<PushIntent[]>();
  }

  /** Sets the new storage of pushes whose events are not published yet. */
  async moveProject(projectId: number, storage: string): Promise<void> {
    await this.intents.updateMany({ projectId }, { $set: { storage } });
  }

  async remove(id: string): Promise<void> {
    await this.intents.deleteOne({ _id: id });
  }
}
