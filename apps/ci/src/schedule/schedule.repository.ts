import { batched } from '@moothall/background';
import { type CiVariable, invalidRecord, mostVariables, type Page, scheduleErrors } from '@moothall/contracts';
import {
  addWithin,
  Counters,
  changeDocument,
  collectionOf,
  findPage,
  hasRoom,
  isDuplicateKey,
  writeAll,
} from '@moothall/database';
import { SecretBox } from '@moothall/secrets';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { sealVariable } from '../variable/sealed-variable';
import type { PipelineSchedule } from './schedule.schema';

/** Limit of one command. */
const most = 200;

export type NewSchedule = Pick<
  PipelineSchedule,
  'projectId' | 'description' | 'ref' | 'cron' | 'cronTimezone' | 'isActive' | 'ownerId' | 'nextRunAt'
>;

/** A schedule and the time it is due at. */
export interface DueRun {
  scheduleId: number;
  dueAt: Date;
}

/** Every query on schedules. */
@Injectable()
export class Schedules {
  constructor(
    @InjectModel('PipelineSchedule') readonly model: Model<PipelineSchedule>,
    private readonly counters: Counters,
    private readonly box: SecretBox,
  ) {}

  async add(schedule: NewSchedule): Promise<PipelineSchedule> {
    const created = await this.model.create({ _id: await this.counters.next('schedules'), ...schedule });
    return created.toObject();
  }

  /** @throws common.invalid_record beyond the limit of the project */
  async addWithin(most: number, schedule: NewSchedule): Promise<PipelineSchedule> {
    const { projectId } = schedule;
    const refusal = () => invalidRecord({ base: [`Maximum number of pipeline schedules (${most}) exceeded`] });
    return addWithin({ model: this.model, filter: { projectId }, most, refusal }, () => this.add(schedule));
  }

  /** @returns false if it already exists */
  async addImported(
    schedule: NewSchedule & Required<Pick<PipelineSchedule, 'importedAs' | 'createdAt' | 'updatedAt'>>,
  ): Promise<boolean> {
    try {
      // Its times are those of the archive.
      await this.model.create([{ _id: await this.counters.next('schedules'), ...schedule }], { timestamps: false });
      return true;
    } catch (error) {
      if (!isDuplicateKey(error, 'importedAs')) throw error;
      return false;
    }
  }

  /** By ascending id after one. */
  ofProject(projectId: number, afterId: number, limit: number): Promise<PipelineSchedule[]> {
    return this.model
      .find({ projectId, _id: { $gt: afterId } })
      .sort({ _id: 1 })
      .limit(limit)
      .lean<PipelineSchedule[]>();
  }

  /** Batched, because thousands may be due at the same time. */
  readonly find = batched<number, PipelineSchedule | null>(
    async (ids) => {
      const found = await this.model.find({ _id: { $in: ids } }).lean<PipelineSchedule[]>();
      const byId = new Map(found.map((schedule) => [schedule._id, schedule]));
      return ids.map((id) => byId.get(id) ?? null);
    },
    { most },
  );

  /** @throws pipeline_schedule.not_found */
  async get(projectId: number, id: number): Promise<PipelineSchedule> {
    const schedule = await this.model.findOne({ _id: id, projectId }).lean<PipelineSchedule>();
    if (!schedule) throw scheduleErrors.notFound();
    return schedule;
  }

  page(
    projectId: number,
    isActive: boolean | undefined,
    input: { page: number; per_page: number },
  ): Promise<Page<PipelineSchedule>> {
    return findPage(this.model, { projectId, ...(isActive !== undefined && { isActive }) }, { _id: 1 }, input);
  }

  /** @throws pipeline_schedule.not_found if it was deleted meanwhile */
  async change(id: number, changes: Partial<PipelineSchedule>): Promise<PipelineSchedule> {
    const changed = await this.model
      .findByIdAndUpdate(id, { $set: changes }, { returnDocument: 'after' })
      .lean<PipelineSchedule>();
    if (!changed) throw scheduleErrors.notFound();
    return changed;
  }

  /** The same if the change depends on the next run. @throws pipeline_schedule.not_found */
  async changeByTime(
    id: number,
    changesOf: (current: PipelineSchedule) => Partial<PipelineSchedule>,
  ): Promise<PipelineSchedule> {
    const changed = await changeDocument(this.model, { _id: id }, ['cron', 'cronTimezone'], (current) => ({
      $set: changesOf(current),
    }));
    if (!changed) throw scheduleErrors.notFound();
    return changed;
  }

  async remove(id: number): Promise<void> {
    await this.model.deleteOne({ _id: id });
  }

  /** @throws common.invalid_record for a used key, and beyond the limit of the schedule */
  async addVariable(id: number, variable: CiVariable): Promise<void> {
    const { matchedCount } = await this.model.updateOne(
      // The filter keeps keys unique if two are added concurrently.
      { _id: id, 'variables.key': { $ne: variable.key }, ...hasRoom('variables', mostVariables) },
      { $push: { variables: sealVariable(this.box, variable) } },
    );
    if (matchedCount > 0) return;
    const isTaken = await this.model.exists({ _id: id, 'variables.key': variable.key });
    throw invalidRecord(isTaken ? { key: ['has already been taken'] } : { base: ['has too many variables'] });
  }

  /** @throws pipeline_schedule.variable_not_found */
  async changeVariable(id: number, variable: CiVariable): Promise<void> {
    const { matchedCount } = await this.model.updateOne(
      { _id: id, 'variables.key': variable.key },
      { $set: { 'variables.$': sealVariable(this.box, variable) } },
    );
    if (matchedCount === 0) throw scheduleErrors.variableNotFound();
  }

  /** @throws pipeline_schedule.variable_not_found */
  async removeVariable(id: number, key: string): Promise<void> {
    const { matchedCount } = await this.model.updateOne(
      { _id: id, 'variables.key': key },
      { $pull: { variables: { key } } },
    );
    if (matchedCount === 0) throw scheduleErrors.variableNotFound();
  }

  /** Due schedules, in their order, after `after`. */
  async due(now: Date, after: DueRun | undefined, limit: number): Promise<DueRun[]> {
    if (!after) return this.dueWithin({ $lte: now }, {}, limit);
    // Two ranges of the index: many are due in the same minute, and one range would begin with all of those each
    // time.
    const same = await this.dueWithin(after.dueAt, { _id: { $gt: after.scheduleId } }, limit);
    if (same.length === limit) return same;
    return [...same, ...(await this.dueWithin({ $gt: after.dueAt, $lte: now }, {}, limit - same.length))];
  }

  private async dueWithin(
    nextRunAt: NonNullable<QueryFilter<PipelineSchedule>['nextRunAt']>,
    behind: QueryFilter<PipelineSchedule>,
    limit: number,
  ): Promise<DueRun[]> {
    const found = await this.model
      .find({ isActive: true, nextRunAt, ...behind })
      .sort({ nextRunAt: 1, _id: 1 })
      .limit(limit)
      .select({ nextRunAt: 1 })
      .lean<{ _id: number; nextRunAt: Date }[]>();
    return found.map((schedule) => ({ scheduleId: schedule._id, dueAt: schedule.nextRunAt }));
  }

  /** Sets the next run of a schedule; does nothing if it was set or changed meanwhile. */
  readonly advance = batched<DueRun & { nextRunAt: Date | null }, void>(
    async (runs) => {
      const now = new Date();
      const moves = runs.map(({ scheduleId, dueAt, nextRunAt }) => ({
        updateOne: { filter: { _id: scheduleId, nextRunAt: dueAt }, update: { $set: { nextRunAt, updatedAt: now } } },
      }));
      await writeAll(collectionOf(this.model), moves);
      return runs.map(() => undefined);
    },
    { most },
  );

  /** Deactivates a schedule with a reason, unless another user has taken it over meanwhile. */
  async deactivateOne(id: number, ownerId: number | null, reason: string): Promise<void> {
    await this.model.updateOne({ _id: id, ownerId }, { $set: { isActive: false, deactivationReason: reason } });
  }

  /** The same for the schedules of a user. */
  async deactivate(ownerId: number, reason: string, projectId?: number): Promise<void> {
    await this.model.updateMany(
      { ownerId, ...(projectId !== undefined && { projectId }), isActive: true },
      { $set: { isActive: false, deactivationReason: reason } },
    );
  }

  /** Ids of the projects in which a user owns schedules that run. */
  projectsOf(ownerId: number): Promise<number[]> {
    return this.model.distinct('projectId', { ownerId, isActive: true });
  }

  /** Removes a deleted owner; another user can take the schedules over. */
  async disown(ownerId: number, reason: string): Promise<void> {
    await this.deactivate(ownerId, reason);
    await this.model.updateMany({ ownerId }, { $set: { ownerId: null } });
  }

  async removeOfProject(projectId: number): Promise<void> {
    await this.model.deleteMany({ projectId });
  }
}
