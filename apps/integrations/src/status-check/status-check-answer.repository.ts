import { Counters, isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, UpdateQuery } from 'mongoose';
import type { StatusCheckAnswer } from './status-check-answer.schema';

/** A merge request at one tip of its source. */
export type AnswerPlace = Pick<StatusCheckAnswer, 'projectId' | 'iid' | 'sha'>;

/** Queries on what checks answered. */
@Injectable()
export class StatusCheckAnswers {
  constructor(
    @InjectModel('StatusCheckAnswer') private readonly answers: Model<StatusCheckAnswer>,
    private readonly counters: Counters,
  ) {}

  /** From now on it is waited for; what was answered before for the same tip stays. */
  async expect(place: AnswerPlace, checkId: number): Promise<void> {
    await this.put({ ...place, checkId }, { $setOnInsert: { status: 'pending', askedAt: new Date() } });
  }

  set(place: AnswerPlace, checkId: number, status: StatusCheckAnswer['status']): Promise<StatusCheckAnswer> {
    return this.put({ ...place, checkId }, { $set: { status, askedAt: new Date() } });
  }

  ofMergeRequest(place: AnswerPlace): Promise<StatusCheckAnswer[]> {
    return this.answers.find({ ...place }).lean<StatusCheckAnswer[]>();
  }

  /** Of many merge requests of a project, each at its tip. */
  ofMany(projectId: number, places: readonly Omit<AnswerPlace, 'projectId'>[]): Promise<StatusCheckAnswer[]> {
    const $or = places.map(({ iid, sha }) => ({ projectId, iid, sha }));
    return this.answers.find({ $or }).lean<StatusCheckAnswer[]>();
  }

  async forgetCheck(checkId: number): Promise<void> {
    await this.answers.deleteMany({ checkId });
  }

  async forgetMergeRequest(projectId: number, iid: number): Promise<void> {
    await this.answers.deleteMany({ projectId, iid });
  }

  async forgetProject(projectId: number): Promise<void> {
    await this.answers.deleteMany({ projectId });
  }

  private async put(
    key: AnswerPlace & { checkId: number },
    { $set = {}, $setOnInsert = {} }: UpdateQuery<StatusCheckAnswer>,
  ): Promise<StatusCheckAnswer> {
    const _id = await this.counters.next('status_check_answers');
    const write = () =>
      this.answers
        .findOneAndUpdate(
          { ...key },
          { $set, $setOnInsert: { ...$setOnInsert, _id } },
          { upsert: true, returnDocument: 'after' },
        )
        .lean<StatusCheckAnswer>();
    const written = await write().catch((error: unknown) => {
      // Answered twice at once: now it is there.
      if (isDuplicateKey(error)) return write();
      throw error;
    });
    return written as StatusCheckAnswer;
  }
}
