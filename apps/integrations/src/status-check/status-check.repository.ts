import { type Page, statusCheckErrors } from '@moothall/contracts';
import { addWithin, Counters, findPage, isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { StatusCheckDocument } from './status-check.schema';

/** Limit for one project. */
export const mostStatusChecks = 100;

type Fields = Omit<StatusCheckDocument, '_id' | 'createdAt'>;

/** Queries on checks. */
@Injectable()
export class StatusChecks {
  constructor(
    @InjectModel('StatusCheck') private readonly checks: Model<StatusCheckDocument>,
    private readonly counters: Counters,
  ) {}

  /** @throws status_check.too_many, status_check.name_taken */
  async add(fields: Fields): Promise<StatusCheckDocument> {
    const { projectId } = fields;
    const bound = { filter: { projectId }, most: mostStatusChecks, refusal: statusCheckErrors.tooMany };
    return addWithin({ model: this.checks, ...bound }, async () => {
      const _id = await this.counters.next('status_checks');
      const made = this.checks.create({ ...fields, _id, createdAt: new Date() });
      return (await made.catch(explain)).toObject() as StatusCheckDocument;
    });
  }

  page(projectId: number, input: { page: number; per_page: number }): Promise<Page<StatusCheckDocument>> {
    return findPage(this.checks, { projectId }, { name: 1 }, input);
  }

  ofProject(projectId: number): Promise<StatusCheckDocument[]> {
    return this.checks.find({ projectId }).sort({ name: 1 }).lean<StatusCheckDocument[]>();
  }

  find(id: number): Promise<StatusCheckDocument | null> {
    return this.checks.findById(id).lean<StatusCheckDocument>();
  }

  /** @throws status_check.not_found also for checks of other projects */
  async get(projectId: number, id: number): Promise<StatusCheckDocument> {
    const check = await this.checks.findOne({ _id: id, projectId }).lean<StatusCheckDocument>();
    if (!check) throw statusCheckErrors.notFound();
    return check;
  }

  /** @throws status_check.not_found, status_check.name_taken */
  async change(projectId: number, id: number, changes: Partial<Fields>): Promise<StatusCheckDocument> {
    const changed = await this.checks
      .findOneAndUpdate({ _id: id, projectId }, { $set: changes }, { returnDocument: 'after' })
      .lean<StatusCheckDocument>()
      .catch(explain);
    if (!changed) throw statusCheckErrors.notFound();
    return changed;
  }

  async remove(id: number): Promise<void> {
    await this.checks.deleteOne({ _id: id });
  }
}

function explain(error: unknown): never {
  throw isDuplicateKey(error, 'name') ? statusCheckErrors.nameTaken() : error;
}
