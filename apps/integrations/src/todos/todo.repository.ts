import { type Page, todoErrors } from '@moothall/contracts';
import { Counters, findPage, isDuplicateKey, SharedWrites } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { TodoDocument } from './todo.schema';

export type NewTodo = Omit<TodoDocument, '_id' | 'state' | 'updatedAt' | 'noteId' | 'ref'> &
  Partial<Pick<TodoDocument, 'noteId' | 'ref'>>;
export type TargetKey = Pick<TodoDocument, 'targetType' | 'targetId'>;

/** Every query on to-dos. */
@Injectable()
export class Todos {
  constructor(
    @InjectModel('Todo') private readonly model: Model<TodoDocument>,
    private readonly counters: Counters,
    private readonly shared: SharedWrites,
  ) {}

  /** @returns null if it exists */
  async add(todo: NewTodo): Promise<TodoDocument | null> {
    if (await this.model.exists({ key: todo.key })) return null;
    const _id = await this.counters.next('todos');
    try {
      const made = await this.model.create({ ...todo, _id, state: 'pending', updatedAt: todo.createdAt });
      return made.toObject() as TodoDocument;
    } catch (error) {
      if (isDuplicateKey(error)) return null;
      throw error;
    }
  }

  page(filter: QueryFilter<TodoDocument>, input: { page: number; per_page: number }): Promise<Page<TodoDocument>> {
    return findPage(this.model, filter, { _id: -1 }, input);
  }

  projectsOf(kind: Pick<TodoDocument, 'userId' | 'state' | 'targetType'>): Promise<number[]> {
    return this.model.distinct('projectId', kind);
  }

  async findPending(userId: number, { targetType, targetId }: TargetKey): Promise<TodoDocument | null> {
    return this.model.findOne({ targetType, targetId, userId, state: 'pending' }).lean<TodoDocument>();
  }

  /** In any state. */
  countOn({ targetType, targetId }: TargetKey, userId: number): Promise<number> {
    return this.model.countDocuments({ targetType, targetId, userId });
  }

  /** @throws todo.not_found also for to-dos of other users */
  async finish(userId: number, id: number): Promise<TodoDocument> {
    const change = { $set: { state: 'done', updatedAt: new Date() } } as const;
    const done = await this.model
      .findOneAndUpdate({ _id: id, userId }, change, { returnDocument: 'after' })
      .lean<TodoDocument>();
    if (!done) throw todoErrors.notFound();
    return done;
  }

  async finishAll(userId: number): Promise<void> {
    await this.finishMany({ userId });
  }

  /** Completes the to-dos of a user on a target. @param before only older to-dos, not those that the same act created */
  async finishOn({ targetType, targetId }: TargetKey, userId: number, before: Date): Promise<void> {
    await this.finishMany({ targetType, targetId, userId, createdAt: { $lt: before } });
  }

  /** Completes to-dos of a branch whose pipeline no longer fails. */
  async finishFailures(projectId: number, ref: string, before: Date): Promise<void> {
    await this.finishMany({ projectId, ref, action: 'build_failed', createdAt: { $lt: before } });
  }

  private async finishMany(filter: QueryFilter<TodoDocument>): Promise<void> {
    const done = { $set: { state: 'done', updatedAt: new Date() } };
    await this.shared.updateMany(this.model.collection.collectionName, { ...filter, state: 'pending' }, done);
  }

  async removeOn({ targetType, targetId }: TargetKey): Promise<void> {
    await this.model.deleteMany({ targetType, targetId });
  }

  async removeNote(noteId: number): Promise<void> {
    await this.model.deleteMany({ noteId });
  }

  async removeOfProject(projectId: number): Promise<void> {
    await this.model.deleteMany({ projectId });
  }

  async removeOfUser(userId: number): Promise<void> {
    await this.model.deleteMany({ $or: [{ userId }, { authorId: userId }] });
  }
}
