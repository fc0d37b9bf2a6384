import {
  type EnvironmentTier,
  environmentErrors,
  invalidRecord,
  type listEnvironments,
  type ParsedOf,
} from '@moothall/contracts';
import { Counters, containing, findPage, isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, UpdateQuery } from 'mongoose';
import type { DeploymentRecord } from './deployment.schema';
import type { EnvironmentRecord } from './environment.schema';
import { environmentSlug, tierOf } from './environment-name';

type Facts = Partial<Pick<EnvironmentRecord, 'description' | 'externalUrl' | 'autoStopSetting'>> & {
  tier?: EnvironmentTier | undefined;
};

/** The facts of a deployment that its environment stores. */
export type Left = Pick<DeploymentRecord, '_id' | 'environmentId' | 'ref'> &
  Pick<EnvironmentRecord, 'stopper'> & {
    deployedAt: Date;
    externalUrl?: string | undefined;
    autoStopAt?: Date | undefined;
  };

/** Every query on environments. */
@Injectable()
export class Environments {
  constructor(
    @InjectModel('Environment') readonly model: Model<EnvironmentRecord>,
    private readonly counters: Counters,
  ) {}

  page(projectId: number, input: ParsedOf<typeof listEnvironments>) {
    const { name, search, states } = input;
    const filter = {
      projectId,
      ...(search !== undefined && { name: containing(search) }),
      ...(name !== undefined && { name }),
      ...(states && { state: states }),
    };
    return findPage(this.model, filter, { _id: 1 }, input);
  }

  /** @throws environment.not_found */
  async get(projectId: number, id: number): Promise<EnvironmentRecord> {
    const found = await this.model.findOne({ _id: id, projectId }).lean<EnvironmentRecord>();
    if (!found) throw environmentErrors.notFound();
    return found;
  }

  find(projectId: number, name: string): Promise<EnvironmentRecord | null> {
    return this.model.findOne({ projectId, name }).lean<EnvironmentRecord>();
  }

  async byIds(ids: number[]): Promise<Map<number, EnvironmentRecord>> {
    if (ids.length === 0) return new Map();
    const found = await this.model.find({ _id: { $in: [...new Set(ids)] } }).lean<EnvironmentRecord[]>();
    return new Map(found.map((environment) => [environment._id, environment]));
  }

  /** @throws common.invalid_record for a used name */
  async add(projectId: number, name: string, { tier, ...facts }: Facts): Promise<EnvironmentRecord> {
    try {
      return await this.insert(projectId, name, { tier, ...facts });
    } catch (error) {
      if (!isDuplicateKey(error, 'name')) throw error;
      throw invalidRecord({ name: ['has already been taken'] });
    }
  }

  /** The one of that name, created if there is none. */
  async ensure(projectId: number, name: string, tier?: EnvironmentTier): Promise<EnvironmentRecord> {
    const known = await this.find(projectId, name);
    if (known) return known;
    try {
      return await this.insert(projectId, name, { tier });
    } catch (error) {
      const made = isDuplicateKey(error, 'name') ? await this.find(projectId, name) : null;
      if (made) return made;
      throw error;
    }
  }

  private async insert(projectId: number, name: string, { tier, ...facts }: Facts): Promise<EnvironmentRecord> {
    const _id = await this.counters.next('environments');
    const made = await this.model.create({
      ...{ _id, projectId, name, slug: environmentSlug(name), state: 'available', autoStopSetting: 'always' },
      ...facts,
      tier: tier ?? tierOf(name),
    });
    return made.toObject();
  }

  /** @throws environment.not_found */
  async change(projectId: number, id: number, facts: Facts): Promise<EnvironmentRecord> {
    const changed = await this.model
      .findOneAndUpdate({ _id: id, projectId }, { $set: facts }, { returnDocument: 'after' })
      .lean<EnvironmentRecord>();
    if (!changed) throw environmentErrors.notFound();
    return changed;
  }

  /** Stores a successful deployment, unless there is a newer one, or the environment was stopped since. */
  async noteSuccess({ _id, environmentId, ref, deployedAt, externalUrl, autoStopAt }: Left): Promise<void> {
    await this.model.updateOne(notNewer(environmentId, 'lastDeploymentId', _id), {
      $set: {
        ...{ lastDeploymentId: _id, lastRef: ref, lastDeployedAt: deployedAt },
        ...(externalUrl && { externalUrl }),
        ...(autoStopAt && { autoStopAt }),
      },
    });
    await this.model.updateOne(
      { _id: environmentId, state: { $ne: 'available' }, stopAskedAt: { $not: { $gt: deployedAt } } },
      { $set: { state: 'available' } },
    );
  }

  /** Stores the on_stop job of an ended deployment, whether it succeeded or not. */
  async noteStopper(environmentId: number, stopper: NonNullable<EnvironmentRecord['stopper']>): Promise<void> {
    await this.model.updateOne(notNewer(environmentId, 'stopper.deploymentId', stopper.deploymentId), {
      $set: { stopper },
    });
  }

  /** Stops it after its on_stop job, unless it was deployed to since. */
  async noteStopped(projectId: number, name: string, at: Date): Promise<void> {
    await this.model.updateOne(
      { projectId, name, state: { $ne: 'stopped' }, lastDeployedAt: { $not: { $gt: at } } },
      { $set: { state: 'stopped', stopAskedAt: at }, $unset: { autoStopAt: 1 } },
    );
  }

  /** @throws environment.not_found */
  async setState(id: number, update: UpdateQuery<EnvironmentRecord>): Promise<EnvironmentRecord> {
    const changed = await this.model
      .findOneAndUpdate({ _id: id }, update, { returnDocument: 'after' })
      .lean<EnvironmentRecord>();
    if (!changed) throw environmentErrors.notFound();
    return changed;
  }

  /** Environments whose auto_stop time has come. */
  due(now: Date, limit: number): Promise<EnvironmentRecord[]> {
    return this.model
      .find({ autoStopAt: { $lte: now } })
      .sort({ autoStopAt: 1 })
      .limit(limit)
      .lean<EnvironmentRecord[]>();
  }

  /** Environments whose last deployment is from a branch or tag. */
  ofRef(projectId: number, ref: string, limit: number): Promise<EnvironmentRecord[]> {
    return this.model.find({ projectId, lastRef: ref, state: 'available' }).limit(limit).lean<EnvironmentRecord[]>();
  }

  /** Environments without activity since then. */
  stale(projectId: number, before: Date, limit: number): Promise<EnvironmentRecord[]> {
    return this.longUntouched({ projectId, state: 'available', updatedAt: { $lt: before } }, limit);
  }

  stoppedReviewApps(projectId: number, before: Date, limit: number): Promise<EnvironmentRecord[]> {
    return this.longUntouched({ projectId, state: 'stopped', name: /^review\//, updatedAt: { $lt: before } }, limit);
  }

  private longUntouched(filter: QueryFilter<EnvironmentRecord>, limit: number): Promise<EnvironmentRecord[]> {
    return this.model.find(filter).sort({ updatedAt: 1 }).limit(limit).lean<EnvironmentRecord[]>();
  }

  /** @returns false if it was started again meanwhile, or was deleted */
  async removeStopped(id: number): Promise<boolean> {
    const { deletedCount } = await this.model.deleteOne({ _id: id, state: 'stopped' });
    return deletedCount > 0;
  }

  async removeOfProject(projectId: number): Promise<void> {
    await this.model.deleteMany({ projectId });
  }
}

/** Matches an environment without newer data, so that repeated or late events change nothing. */
const notNewer = (_id: number, field: string, deploymentId: number): QueryFilter<EnvironmentRecord> => ({
  _id,
  $or: [{ [field]: { $exists: false } }, { [field]: { $lte: deploymentId } }],
});
