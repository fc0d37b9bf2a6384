import { commonErrors, type Page, type ProjectRef } from '@moothall/contracts';
import { Counters, findPage, isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { StorageRecord } from './storage.schema';
import type { MoveState, StorageMove } from './storage-move.schema';

/** Queries on moves, and on the existing storages. */
@Injectable()
export class StorageMoves {
  constructor(
    @InjectModel('StorageMove') private readonly moves: Model<StorageMove>,
    @InjectModel('Storage') private readonly storages: Model<StorageRecord>,
    private readonly counters: Counters,
  ) {}

  /** @returns null while another move of the project is in progress */
  async add(project: ProjectRef, destination: string): Promise<StorageMove | null> {
    const { id, storage, description, name, nameWithNamespace, path, fullPath, createdAt } = project;
    try {
      const created = await this.moves.create({
        _id: await this.counters.next('storage_moves'),
        projectId: id,
        movingProjectId: id,
        state: 'scheduled',
        source: storage,
        destination,
        project: { description, name, nameWithNamespace, path, fullPath, createdAt },
      });
      return created.toObject() as StorageMove;
    } catch (error) {
      if (isDuplicateKey(error)) return null;
      throw error;
    }
  }

  page(filter: { projectId?: number }, input: { page: number; per_page: number }): Promise<Page<StorageMove>> {
    return findPage(this.moves, filter, { _id: -1 }, input);
  }

  /** @throws common.not_found */
  async get(id: number, projectId?: number): Promise<StorageMove> {
    const move = await this.moves.findOne({ _id: id, ...(projectId && { projectId }) }).lean<StorageMove>();
    if (!move) throw commonErrors.notFound();
    return move;
  }

  /** Null if it was removed with its project. */
  find(id: number): Promise<StorageMove | null> {
    return this.moves.findOne({ _id: id }).lean<StorageMove>();
  }

  async progress(id: number, state: MoveState): Promise<void> {
    await this.moves.updateOne({ _id: id }, { $set: { state } });
  }

  /** After this the project may move again. */
  async end(id: number, state: MoveState, error: string | null = null): Promise<void> {
    await this.moves.updateOne({ _id: id }, { $set: { state, error }, $unset: { movingProjectId: 1 } });
  }

  async markHeld(id: number): Promise<void> {
    await this.moves.updateOne({ _id: id }, { $set: { holdsWrites: true } });
  }

  /** Moves from or to these storages that have not ended. */
  listUnderWay(storages: readonly string[]): Promise<StorageMove[]> {
    const here = { $in: [...storages] };
    return this.moves
      .find({ movingProjectId: { $gt: 0 }, $or: [{ source: here }, { destination: here }] })
      .lean<StorageMove[]>();
  }

  async removeOfProject(projectId: number): Promise<void> {
    await this.moves.deleteMany({ projectId });
  }

  async publishStorages(names: readonly string[]): Promise<void> {
    for (const name of names)
      await this.storages.updateOne({ _id: name }, { $set: { startedAt: new Date() } }, { upsert: true });
  }

  async noteFreeShare(name: string, freeShare: number): Promise<void> {
    await this.storages.updateOne({ _id: name }, { $set: { freeShare } });
  }

  listStorages(): Promise<StorageRecord[]> {
    return this.storages.find().sort({ _id: 1 }).lean<StorageRecord[]>();
  }

  async storageNames(): Promise<string[]> {
    return (await this.listStorages()).map(({ _id }) => _id);
  }
}
