import { featureFlagChanged, featureFlagErrors, invalidRecord } from '@moothall/contracts';
import { Counters, changeDocument, findPage, isDuplicateKey, newEvent, Outbox } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { FeatureFlagRecord, Strategy } from './feature-flag.schema';

export type FlagFacts = Pick<FeatureFlagRecord, 'name' | 'description' | 'isActive' | 'strategies'>;

/** Every query on feature flags. */
@Injectable()
export class FeatureFlags {
  constructor(
    @InjectModel('FeatureFlag') readonly model: Model<FeatureFlagRecord>,
    private readonly counters: Counters,
    private readonly outbox: Outbox,
  ) {}

  page(projectId: number, isActive: boolean | undefined, input: { page: number; per_page: number }) {
    const filter = { projectId, ...(isActive !== undefined && { isActive }) };
    return findPage(this.model, filter, { _id: 1 }, input);
  }

  /** @throws feature_flag.not_found */
  async get(projectId: number, name: string): Promise<FeatureFlagRecord> {
    const found = await this.model.findOne({ projectId, name }).lean<FeatureFlagRecord>();
    if (!found) throw featureFlagErrors.notFound();
    return found;
  }

  /** The first of as many numbers for strategies and their scopes. */
  takeIds(count: number): Promise<number> {
    return this.counters.take('feature flag strategies', Math.max(count, 1));
  }

  /** @throws common.invalid_record for a used name */
  async add(projectId: number, facts: FlagFacts): Promise<FeatureFlagRecord> {
    const _id = await this.counters.next('feature flags');
    return (await this.model.create({ _id, projectId, ...facts }).catch(unlessTaken)).toObject();
  }

  /**
   * @param userId the user who changes it
   * @param strategiesOf computes the new strategies from the current ones
   * @throws feature_flag.not_found; common.invalid_record for a used name; errors of `strategiesOf`
   */
  async change(
    projectId: number,
    name: string,
    userId: number,
    facts: Partial<Omit<FlagFacts, 'strategies'>>,
    strategiesOf?: (strategies: Strategy[]) => Strategy[],
  ): Promise<FeatureFlagRecord> {
    const basedOn: Basis[] = [
      ...(strategiesOf ? (['strategies'] as const) : []),
      ...(facts.isActive === undefined ? [] : (['isActive'] as const)),
    ];
    const changed = await changeDocument<FeatureFlagRecord>(
      this.model,
      { projectId, name },
      basedOn,
      ({ strategies }) => ({ $set: { ...facts, ...(strategiesOf && { strategies: strategiesOf(strategies) }) } }),
      (unchanged, update, current) => {
        const isSwitched = facts.isActive !== undefined && facts.isActive !== current.isActive;
        const events = isSwitched ? [eventOf({ ...current, ...facts }, userId)] : [];
        return this.outbox.update(this.model, unchanged, update, ...events);
      },
    ).catch(unlessTaken);
    if (!changed) throw featureFlagErrors.notFound();
    return changed;
  }

  /** @throws feature_flag.not_found */
  async remove(projectId: number, name: string): Promise<FeatureFlagRecord> {
    const removed = await this.model.findOneAndDelete({ projectId, name }).lean<FeatureFlagRecord>();
    if (!removed) throw featureFlagErrors.notFound();
    return removed;
  }

  async isListUsed(userListId: number): Promise<boolean> {
    return (await this.model.exists({ 'strategies.userListId': userListId })) !== null;
  }

  async removeOfProject(projectId: number): Promise<void> {
    await this.model.deleteMany({ projectId });
  }
}

type Basis = 'strategies' | 'isActive';

const eventOf = ({ _id, projectId, name, description, isActive }: FeatureFlagRecord, userId: number) =>
  newEvent(featureFlagChanged, {
    project_id: projectId,
    feature_flag_id: _id,
    name,
    description,
    active: isActive,
    user_id: userId,
  });

const unlessTaken = (error: unknown): never => {
  if (!isDuplicateKey(error, 'name')) throw error;
  throw invalidRecord({ name: ['has already been taken'] });
};
