import { type CiVariable, invalidRecord, type Page, scheduleErrors } from '@moothall/contracts';
import { Counters, findPage } from '@moothall/database';
import { SecretBox } from '@moothall/secrets';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { sealVariable } from '../schedule-variable/sealed-variable';
import type { PipelineSchedule } from './schedule.schema';

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

  find(id: number): Promise<PipelineSchedule | null> {
    return this.model.findById(id).lean<PipelineSchedule>();
  }

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

  /** @throws pipeline_schedule.not_found when it went away meanwhile */
  async change(id: number, changes: Partial<PipelineSchedule>): Promise<PipelineSchedule> {
    const changed = await this.model
      .findByIdAndUpdate(id, { $set: changes }, { returnDocument: 'after' })
      .lean<PipelineSchedule>();
    if (!changed) throw scheduleErrors.notFound();
    return changed;
  }

  async remove(id: number): Promise<void> {
    await this.model.deleteOne({ _id: id });
  }

  /** @throws common.invalid_record when the key is taken */
  async addVariable(id: number, variable: CiVariable): Promise<void> {
    const { matchedCount } = await this.model.updateOne(
      // The filter keeps keys unique when two are added at once.
      { _id: id, 'variables.key': { $ne: variable.key } },
      { $push: { variables: sealVariable(this.box, variable) } },
    );
    if (matchedCount === 0) throw invalidRecord({ key: ['has already been taken'] });
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

  /** What is due, in the order in which it became so, behind `after`. */
  async due(now: Date, after: DueRun | undefined, limit: number): Promise<DueRun[]> {
    const behind = after && {
      $or: [{ nextRunAt: { $gt: after.dueAt } }, { nextRunAt: after.dueAt, _id: { $gt: after.scheduleId } }],
    };
    const found = await this.model
      .find({ isActive: true, nextRunAt: { $gte: after?.dueAt ?? new Date(0), $lte: now }, ...behind })
      .sort({ nextRunAt: 1, _id: 1 })
      .limit(limit)
      .select({ nextRunAt: 1 })
      .lean<Pick<PipelineSchedule, '_id' | 'nextRunAt'>[]>();
    return found.map(({ _id, nextRunAt }) => ({ scheduleId: _id, dueAt: nextRunAt! }));
  }

  /** Moves a schedule on from the time it was due at; does nothing when it was moved or changed meanwhile. */
  async advance({ scheduleId, dueAt }: DueRun, nextRunAt: Date | null): Promise<void> {
    await this.model.updateOne({ _id: scheduleId, nextRunAt: dueAt }, { $set: { nextRunAt } });
  }

  /** Switches a schedule off and says why, unless somebody else has taken it over meanwhile. */
  async deactivateOne(id: number, ownerId: number | null, reason: string): Promise<void> {
    await this.model.updateOne({ _id: id, ownerId }, { $set: { isActive: false, deactivationReason: reason } });
  }

  /** The same for those of a user. */
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

  /** What a user owned belongs to nobody, and waits for somebody to take it over. */
  async disown(ownerId: number, reason: string): Promise<void> {
    await this.deactivate(ownerId, reason);
    await this.model.updateMany({ ownerId }, { $set: { ownerId: null } });
  }

  async removeOfProject(projectId: number): Promise<void> {
    await this.model.deleteMany({ projectId });
  }
}
