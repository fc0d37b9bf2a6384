import { randomUUID } from 'node:crypto';
import { isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { Replica } from './replica.schema';

export type ReplicaKey = Pick<Replica, 'projectId' | 'kind'>;

export const idOf = ({ projectId, kind }: ReplicaKey): string => `${projectId}-${kind}`;

/** Queries on replicas. */
@Injectable()
export class Replicas {
  constructor(@InjectModel('Replica') private readonly replicas: Model<Replica>) {}

  /** Requests a sync of a replica with its source; creates the record of a new replica. */
  async wantSync(key: ReplicaKey, { storage, sealedUrl }: Pick<Replica, 'storage' | 'sealedUrl'>): Promise<Replica> {
    const write = () =>
      this.replicas
        .findOneAndUpdate(
          { _id: idOf(key) },
          {
            $setOnInsert: { ...key, storage, isDamaged: false },
            $set: { sealedUrl, 'wants.sync': true, turn: randomUUID() },
            $unset: { 'wants.remove': 1 },
          },
          { upsert: true, returnDocument: 'after' },
        )
        .lean<Replica>();
    const retry = (error: unknown) => {
      // A concurrent request was first.
      if (isDuplicateKey(error)) return write();
      throw error;
    };
    return (await write().catch(retry)) as Replica;
  }

  /** @returns null if there is none */
  wantVerify(key: ReplicaKey): Promise<Replica | null> {
    return this.change(key, { $set: { 'wants.verify': true, turn: randomUUID() } });
  }

  /** Replaces all other requests for the replica. @returns null if there is none */
  wantRemove(key: ReplicaKey): Promise<Replica | null> {
    return this.change(key, { $set: { wants: { remove: true }, turn: randomUUID() } });
  }

  async markDamaged(key: ReplicaKey): Promise<void> {
    await this.change(key, { $set: { isDamaged: true } });
  }

  async markMade(key: ReplicaKey): Promise<void> {
    await this.change(key, { $set: { isDamaged: false, isMade: true } });
  }

  find(id: string): Promise<Replica | null> {
    return this.replicas.findById(id).lean<Replica>();
  }

  /** Code and wiki of a project. */
  listOf(projectId: number): Promise<Replica[]> {
    return this.replicas.find({ projectId }).lean<Replica[]>();
  }

  /** Replicas with open requests. */
  listWanted(storages: readonly string[]): Promise<Replica[]> {
    return this.replicas
      .find({ turn: { $gt: '' }, storage: { $in: [...storages] } })
      .limit(1000)
      .lean<Replica[]>();
  }

  /** Marks the requests as done, unless there are new ones. @returns false then */
  async settle({ _id, turn }: Replica): Promise<boolean> {
    const settled = await this.replicas.updateOne({ _id, turn: turn as string }, { $unset: { turn: 1, wants: 1 } });
    return settled.matchedCount === 1;
  }

  /** The same for a replica that was removed. */
  async remove({ _id, turn }: Replica): Promise<void> {
    await this.replicas.deleteOne({ _id, turn: turn as string });
  }

  private change(key: ReplicaKey, update: object): Promise<Replica | null> {
    return this.replicas.findOneAndUpdate({ _id: idOf(key) }, update, { returnDocument: 'after' }).lean<Replica>();
  }
}
