import {
  type DeploymentStatus,
  deploymentChanged,
  deploymentErrors,
  deploymentStatuses,
  type listDeployments,
  type ParsedOf,
} from '@moothall/contracts';
import { Counters, findPage, isDuplicateKey, newEvent, Outbox } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { DeploymentRecord } from './deployment.schema';
import type { EnvironmentRecord } from './environment.schema';

export type NewDeployment = Pick<
  DeploymentRecord,
  'ref' | 'isTag' | 'sha' | 'userId' | 'status' | 'jobId' | 'pipelineId' | 'finishedAt'
>;

const sortFields = {
  id: '_id',
  iid: '_id',
  created_at: '_id',
  updated_at: 'updatedAt',
  finished_at: 'finishedAt',
  ref: 'ref',
} as const;

/** Every query on deployments. */
@Injectable()
export class Deployments {
  constructor(
    @InjectModel('Deployment') readonly model: Model<DeploymentRecord>,
    private readonly counters: Counters,
    private readonly outbox: Outbox,
  ) {}

  /** @param environmentId of the requested environment; undefined for all */
  page(projectId: number, environmentId: number | undefined, input: ParsedOf<typeof listDeployments>) {
    const field = sortFields[input.order_by];
    const direction = input.sort === 'asc' ? 1 : -1;
    const updatedAt = between(input.updated_after, input.updated_before);
    const finishedAt = between(input.finished_after, input.finished_before);
    const filter = {
      projectId,
      ...(environmentId !== undefined && { environmentId }),
      // `blocked` never occurs here, but clients request it.
      ...(input.status && { status: { $in: deploymentStatuses.filter((status) => status === input.status) } }),
      ...(updatedAt && { updatedAt }),
      ...(finishedAt && { finishedAt }),
    };
    return findPage(this.model, filter, { [field]: direction, ...(field !== '_id' && { _id: direction }) }, input);
  }

  /** @throws deployment.not_found */
  async get(projectId: number, id: number): Promise<DeploymentRecord> {
    const found = await this.model.findOne({ _id: id, projectId }).lean<DeploymentRecord>();
    if (!found) throw deploymentErrors.notFound();
    return found;
  }

  find(id: number): Promise<DeploymentRecord | null> {
    return this.model.findById(id).lean<DeploymentRecord>();
  }

  findOfJob(jobId: number): Promise<DeploymentRecord | null> {
    return this.model.findOne({ jobId }).lean<DeploymentRecord>();
  }

  /** The last successful one of its environment before it. */
  before({ _id, environmentId }: DeploymentRecord): Promise<DeploymentRecord | null> {
    return this.model
      .findOne({ environmentId, status: 'success', _id: { $lt: _id } })
      .sort({ _id: -1 })
      .lean<DeploymentRecord>();
  }

  async add(environment: EnvironmentRecord, facts: NewDeployment): Promise<DeploymentRecord> {
    const { projectId, _id: environmentId } = environment;
    const [_id, iid] = await Promise.all([
      this.counters.next('deployments'),
      this.counters.next(`deployments of ${projectId}`),
    ]);
    const made = { _id, iid, projectId, environmentId, ...facts };
    return this.outbox.insert(this.model, made, eventOf(made, environment));
  }

  /** The one of a job, created if there is none. */
  async ensure(environment: EnvironmentRecord, facts: NewDeployment & { jobId: number }): Promise<DeploymentRecord> {
    const known = await this.findOfJob(facts.jobId);
    if (known) return known;
    try {
      return await this.add(environment, facts);
    } catch (error) {
      const made = isDuplicateKey(error, 'jobId') ? await this.findOfJob(facts.jobId) : null;
      if (made) return made;
      throw error;
    }
  }

  /** @param from states that may change @returns null if nothing was changed */
  setStatus(
    deployment: DeploymentRecord,
    environment: EnvironmentRecord,
    { status, finishedAt }: Pick<DeploymentRecord, 'status' | 'finishedAt'>,
    from: readonly DeploymentStatus[],
  ): Promise<DeploymentRecord | null> {
    return this.outbox.update(
      this.model,
      { _id: deployment._id, status: { $in: from } },
      { $set: { status, finishedAt } },
      eventOf({ ...deployment, status }, environment),
    );
  }

  async remove(id: number): Promise<void> {
    await this.model.deleteOne({ _id: id });
  }

  async removeOfEnvironment(environmentId: number): Promise<void> {
    await this.model.deleteMany({ environmentId });
  }

  async removeOfProject(projectId: number): Promise<void> {
    await this.model.deleteMany({ projectId });
  }

  /** Assigns the deployments of a deleted user to the ghost user. */
  async reassign(userId: number, toUserId: number): Promise<void> {
    await this.model.updateMany({ userId }, { $set: { userId: toUserId } }, { timestamps: false });
  }
}

function between(after: string | undefined, before: string | undefined) {
  if (after === undefined && before === undefined) return undefined;
  return { ...(after && { $gte: new Date(after) }), ...(before && { $lte: new Date(before) }) };
}

type DeploymentEventFields = Omit<DeploymentRecord, 'createdAt' | 'updatedAt' | 'outbox' | 'finishedAt'>;

const eventOf = (deployment: DeploymentEventFields, { name, slug, tier, externalUrl }: EnvironmentRecord) =>
  newEvent(deploymentChanged, {
    project_id: deployment.projectId,
    deployment_id: deployment._id,
    iid: deployment.iid,
    status: deployment.status,
    environment: name,
    environment_id: deployment.environmentId,
    environment_tier: tier,
    environment_slug: slug,
    environment_external_url: externalUrl,
    ref: deployment.ref,
    tag: deployment.isTag,
    sha: deployment.sha,
    user_id: deployment.userId,
    job_id: deployment.jobId ?? null,
    pipeline_id: deployment.pipelineId ?? null,
    changed_at: new Date().toISOString(),
  });
