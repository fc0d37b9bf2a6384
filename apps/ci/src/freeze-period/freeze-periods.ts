import { freezePeriodErrors, invalidRecord } from '@moothall/contracts';
import { addWithin, Counters, changeDocument, FieldReads, findPage } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { FreezePeriodRecord } from './freeze-period.schema';
import { type FreezeFacts, isFrozen } from './freeze-rules';

/** Limit of one project: each is evaluated for every pipeline and job. */
const mostOfProject = 100;

/** Every query on freeze periods. */
@Injectable()
export class FreezePeriods {
  private readonly byProject: FieldReads<FreezePeriodRecord, 'projectId'>;

  constructor(
    @InjectModel('FreezePeriod') readonly model: Model<FreezePeriodRecord>,
    private readonly counters: Counters,
  ) {
    this.byProject = new FieldReads(model, 'projectId');
  }

  page(projectId: number, input: { page: number; per_page: number }) {
    return findPage(this.model, { projectId }, { _id: 1 }, input);
  }

  /** @throws freeze_period.not_found */
  async get(projectId: number, id: number): Promise<FreezePeriodRecord> {
    const found = await this.model.findOne({ _id: id, projectId }).lean<FreezePeriodRecord>();
    if (!found) throw freezePeriodErrors.notFound();
    return found;
  }

  /** @throws common.invalid_record beyond the limit of the project */
  async add(projectId: number, facts: FreezeFacts): Promise<FreezePeriodRecord> {
    const refusal = () => invalidRecord({ base: [`Maximum number of freeze periods (${mostOfProject}) exceeded`] });
    return addWithin({ model: this.model, filter: { projectId }, most: mostOfProject, refusal }, async () => {
      const _id = await this.counters.next('freeze periods');
      return (await this.model.create({ _id, projectId, ...facts })).toObject();
    });
  }

  /** @param check called with the new state before it is stored @throws freeze_period.not_found; errors of `check` */
  async change(
    projectId: number,
    id: number,
    facts: Partial<FreezeFacts>,
    check: (after: FreezeFacts) => void,
  ): Promise<FreezePeriodRecord> {
    const basedOn = ['freezeStart', 'freezeEnd', 'cronTimezone'] as const;
    const changed = await changeDocument(this.model, { _id: id, projectId }, basedOn, (current) => {
      check({ ...current, ...facts });
      return { $set: facts };
    });
    if (!changed) throw freezePeriodErrors.notFound();
    return changed;
  }

  /** @throws freeze_period.not_found */
  async remove(projectId: number, id: number): Promise<void> {
    const { deletedCount } = await this.model.deleteOne({ _id: id, projectId });
    if (deletedCount === 0) throw freezePeriodErrors.notFound();
  }

  async removeOfProject(projectId: number): Promise<void> {
    await this.model.deleteMany({ projectId });
  }

  /** Variables for jobs: none outside of a freeze. One query for all concurrent callers. */
  async variables(projectId: number): Promise<Record<string, string>> {
    const now = new Date();
    const periods = await this.byProject.find(projectId);
    return periods.some((period) => isFrozen(period, now)) ? { CI_DEPLOY_FREEZE: 'true' } : {};
  }
}
