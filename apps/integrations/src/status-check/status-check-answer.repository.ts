import { Counters, isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, UpdateQuery } from 'mongoose';
import type { StatusCheckAnswer } from './status-check-answer.schema';

/** A merge request at one head of its source branch. */
export type AnswerPlace = Pick<StatusCheckAnswer, 'projectId' | 'iid' | 'sha'>;

/** Queries on answers of checks. */
@Injectable()
export class StatusCheckAnswers {
  constructor(
    @InjectModel('StatusCheckAnswer') private readonly answers: Model<StatusCheckAnswer>,
    private readonly counters: Counters,
  ) {}

  /** Records that an answer is expected; an earlier answer for the same head stays. */
  async expect(place: AnswerPlace, checkId: number): Promise<void> {
    await this.put({ ...place, checkId }, { $setOnInsert: { status: 'pending', askedAt: new Date() } });
  }

  set(place: AnswerPlace, checkId: number, status: StatusCheckAnswer['status']): Promise<StatusCheckAnswer> {
    return this.put({ ...place, checkId }, { $set: { status, askedAt: new Date() } });
  }

  ofMergeRequest(place: AnswerPlace): Promise<StatusCheckAnswer[]> {
    return this.answers.find({ ...place }).lean<StatusCheckAnswer[]>();
  }

  /** For many merge requests of a project, each at its head. */
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
      // A concurrent request inserted it.
      if (isDuplicateKey(error)) return write();
      throw error;
    });
    return written as StatusCheckAnswer;
  }
}
