import {
  commonErrors,
  jobErrors,
  onlyGiven,
  type Page,
  type PipelineStatus,
  pipelineErrors,
  window,
} from '@moothall/contracts';
import { Counters, countUpTo, Outbox } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, SortOrder } from 'mongoose';
import { stopAtFailure } from './job-transitions';
import { type Job, mostDownstream, type Pipeline, type ReportedStatus } from './pipeline.schema';
import { eventsOf } from './pipeline-events';
import { type NewPipeline, PipelineInsertion } from './pipeline-insertion';
import { stateOf } from './pipeline-state';
import { settle } from './settle';

/**
 * The next state of the jobs of a pipeline. Called again after a concurrent change, so it must have no side effects.
 */
export type Transition = (jobs: Job[], now: Date) => Job[];

/** The same for external statuses of its commit. */
export type Report = (reported: readonly ReportedStatus[], now: Date) => ReportedStatus[];

/** The changed fields; none if nothing changes. */
type Plan = (before: Pipeline, now: Date) => Partial<Pick<Pipeline, 'jobs' | 'reported'>> | undefined;

const maxTries = 100;
export const unfinished: PipelineStatus[] = [
  'created',
  'waiting_for_resource',
  'preparing',
  'pending',
  'running',
  'manual',
  'scheduled',
];

/** Every query on pipelines and their jobs. */
@Injectable()
export class Pipelines {
  constructor(
    @InjectModel('Pipeline') readonly model: Model<Pipeline>,
    private readonly counters: Counters,
    private readonly insertion: PipelineInsertion,
    private readonly outbox: Outbox,
  ) {}

  /** Ids of a pipeline and its jobs; `jobId` is the first of consecutive ones. */
  async takeIds(projectId: number, jobs: number): Promise<{ id: number; iid: number; jobId: number }> {
    const [id, iid, jobId] = await Promise.all([
      this.counters.take('pipelines', 1),
      this.counters.take(`pipelines of ${projectId}`, 1),
      this.takeJobIds(jobs),
    ]);
    return { id, iid, jobId };
  }

  async takeJobIds(count: number): Promise<number> {
    return count > 0 ? this.counters.take('jobs', count) : 0;
  }

  /** @throws AlreadyTriggered if one with the same `triggerKey` exists */
  add(pipeline: NewPipeline): Promise<Pipeline> {
    return this.insertion.add(pipeline);
  }

  /** @throws pipeline.not_found */
  async get(projectId: number, id: number): Promise<Pipeline> {
    const pipeline = await this.model.findOne({ _id: id, projectId }).lean<Pipeline>();
    if (!pipeline) throw pipelineErrors.notFound();
    return pipeline;
  }

  find(id: number): Promise<Pipeline | null> {
    return this.model.findById(id).lean<Pipeline>();
  }

  /** The existing ones, by id. */
  async findByIds(ids: number[]): Promise<Map<number, Pipeline>> {
    if (ids.length === 0) return new Map();
    const found = await this.model
      .find({ _id: { $in: ids } })
      .select('-jobs -reported')
      .lean<Pipeline[]>();
    return new Map(found.map((pipeline) => [pipeline._id, pipeline]));
  }

  /** With the work of its jobs. @throws pipeline.not_found */
  async getWithSpecs(id: number): Promise<Pipeline> {
    const pipeline = await this.model.findById(id).select('+specs').lean<Pipeline>();
    if (!pipeline) throw pipelineErrors.notFound();
    return pipeline;
  }

  /** The pipeline of a job. @throws job.not_found */
  async getOfJob(jobId: number, projectId?: number): Promise<Pipeline> {
    const pipeline = await this.findOfJob(jobId, projectId);
    if (!pipeline) throw jobErrors.notFound();
    return pipeline;
  }

  findOfJob(jobId: number, projectId?: number): Promise<Pipeline | null> {
    const filter = projectId === undefined ? {} : { projectId };
    return this.model.findOne({ 'jobs.id': jobId, ...filter }).lean<Pipeline>();
  }

  /** Jobs with their pipelines; deleted ones are omitted. */
  async placedJobs(jobIds: number[]): Promise<{ job: Job; pipeline: Pipeline }[]> {
    if (jobIds.length === 0) return [];
    const found = await this.model.find({ 'jobs.id': { $in: jobIds } }).lean<Pipeline[]>();
    const wanted = new Set(jobIds);
    return found.flatMap((pipeline) =>
      pipeline.jobs.filter(({ id }) => wanted.has(id)).map((job) => ({ job, pipeline })),
    );
  }

  /** Ids of the jobs in pipelines of a project that have a job which runs. */
  async unfinishedJobs(projectId: number): Promise<number[]> {
    const running = await this.model.find({ projectId, status: 'running' }).select('jobs.id').lean<Pipeline[]>();
    return running.flatMap(({ jobs }) => jobs.map(({ id }) => id));
  }

  findByJobToken(tokenSha256: string): Promise<Pipeline | null> {
    return this.model.findOne({ 'jobs.tokenSha256': tokenSha256 }).lean<Pipeline>();
  }

  /** Without jobs. */
  async page(
    filter: QueryFilter<Pipeline>,
    sort: Record<string, SortOrder>,
    input: { page: number; per_page: number },
  ): Promise<Page<Pipeline>> {
    const { skip, limit } = window(input);
    const items = await this.model
      .find(filter)
      .sort(sort)
      .skip(skip)
      .limit(limit)
      .select('-jobs -reported')
      .lean<Pipeline[]>();
    const isWhole = skip === 0 && items.length < limit;
    return { items, total: isWhole ? items.length : await countUpTo(this.model, filter) };
  }

  findLast(filter: QueryFilter<Pipeline>): Promise<Pipeline | null> {
    return this.model.findOne(filter).sort({ _id: -1 }).lean<Pipeline>();
  }

  /** Unfinished earlier pipelines of other commits of its ref. */
  findRedundant({ _id, projectId, ref, isTag, sha }: Pipeline, limit: number): Promise<Pipeline[]> {
    return this.model
      .find({ projectId, status: { $in: unfinished }, ref, isTag, sha: { $ne: sha }, _id: { $lt: _id } })
      .sort({ _id: -1 })
      .limit(limit)
      .lean<Pipeline[]>();
  }

  /** Unfinished pipelines with trigger jobs. */
  withBridges(): AsyncIterable<Pipeline> {
    return this.model
      .find({ status: { $in: unfinished }, 'jobs.isBridge': true })
      .sort({ _id: 1 })
      .lean<Pipeline>()
      .cursor();
  }

  /** Counts a job among those that create downstream pipelines of the root, once. @returns false beyond the limit */
  async countDownstream(rootId: number, jobId: number): Promise<boolean> {
    const { matchedCount } = await this.model.updateOne(
      { _id: rootId, $or: [{ downstreamOf: jobId }, { [`downstreamOf.${mostDownstream - 1}`]: { $exists: false } }] },
      { $addToSet: { downstreamOf: jobId } },
      { timestamps: false },
    );
    return matchedCount > 0;
  }

  /** Pipelines with a pending job, longest waiting first. */
  waiting(projectId: number | undefined): AsyncIterable<Pipeline> {
    const ofProject = projectId === undefined ? {} : { projectId };
    return this.model
      .find({ pendingSince: { $lte: new Date() }, ...ofProject })
      .sort({ pendingSince: 1, _id: 1 })
      .lean<Pipeline>()
      .cursor();
  }

  /** Pipelines with a job that waits or runs for too long. */
  overdue(now: Date, limit: number): Promise<Pipeline[]> {
    return this.model
      .find({ deadlineAt: { $lte: now } })
      .sort({ deadlineAt: 1 })
      .limit(limit)
      .lean<Pipeline[]>();
  }

  /** Pipelines with a delayed job that is due. */
  dueToStart(now: Date, limit: number): Promise<Pipeline[]> {
    return this.model
      .find({ nextStartAt: { $lte: now } })
      .sort({ nextStartAt: 1 })
      .limit(limit)
      .lean<Pipeline[]>();
  }

  /**
   * Changes jobs of a pipeline, starts those that waited, and stores all events in the same write.
   * @returns the pipeline after it
   * @throws pipeline.not_found; errors of `transition`
   */
  change(id: number, transition: Transition): Promise<Pipeline> {
    return this.carryOut(id, ({ jobs, autoCancel }, now) => {
      const changed = transition(jobs, now);
      if (changed === jobs) return undefined;
      const all = autoCancel?.onJobFailure === 'all' ? stopAtFailure(jobs)(changed, now) : changed;
      return { jobs: settle(all, now) };
    });
  }

  /** Changes the external statuses, and stores the events of the pipeline in the same write. */
  report(id: number, report: Report): Promise<Pipeline> {
    return this.carryOut(id, ({ reported = [] }, now) => ({ reported: report(reported, now) }));
  }

  private async carryOut(id: number, plan: Plan): Promise<Pipeline> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const before = await this.model.findById(id).lean<Pipeline>();
      if (!before) throw pipelineErrors.notFound();
      const after = await this.write(before, plan);
      if (after) return after;
    }
    throw commonErrors.conflict();
  }

  /** @returns undefined when the pipeline has changed since it was read */
  private async write(before: Pipeline, plan: Plan): Promise<Pipeline | undefined> {
    const now = new Date();
    const changed = plan(before, now);
    if (!changed) return before;
    const { jobs, reported } = { ...before, ...changed };
    const { pendingSince, deadlineAt, nextStartAt, ...state } = stateOf(jobs, before, now, reported);
    const times = { pendingSince, deadlineAt, nextStartAt };
    const events = eventsOf(before, { ...before, ...changed, ...state });
    const updated = await this.outbox.update(
      this.model,
      { _id: before._id, revision: before.revision },
      {
        $set: { ...state, ...changed, ...onlyGiven(times) },
        $unset: Object.fromEntries(Object.entries(times).flatMap(([name, at]) => (at ? [] : [[name, 1]]))),
        $inc: { revision: 1 },
      },
      ...events,
    );
    return updated ?? undefined;
  }

  async remove(id: number): Promise<void> {
    await this.model.deleteOne({ _id: id });
  }

  async removeOfProject(projectId: number): Promise<void> {
    await this.model.deleteMany({ projectId });
  }

  /** Assigns the pipelines of a deleted user to the ghost user. */
  async reassign(userId: number, toUserId: number): Promise<void> {
    await this.model.updateMany({ userId }, { $set: { userId: toUserId } });
  }
}
