import { countLimit, type Page, window } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { Job, Pipeline, ReportedStatus } from '../pipeline/pipeline.schema';
import type { PlacedJob } from './job.view';

/** By which it is chosen what a list has: of a thousand pipelines not much more is read than that. */
const jobFields = [
  'id',
  'name',
  'stage',
  'stageIndex',
  'status',
  'isBridge',
  'isRetried',
  'runnerId',
  'resourceGroup',
] as const;
const reportedFields = ['id', 'name', 'isRetried'] as const;

export type JobOutline = Pick<Job, (typeof jobFields)[number]>;
type ReportedOutline = Pick<ReportedStatus, (typeof reportedFields)[number]>;

export interface PipelineOutline {
  _id: number;
  jobs: JobOutline[];
  reported?: ReportedOutline[];
}

const outlineFields = [
  ...jobFields.map((field) => `jobs.${field}`),
  ...reportedFields.map((field) => `reported.${field}`),
];

/** What a list is of. */
interface Listed<T> {
  /** Ids of the jobs, or statuses, of a pipeline that are meant, in the order of the list. */
  idsIn: (pipeline: PipelineOutline) => number[];
  /** One of them, once the whole pipeline is there. */
  pick: (pipeline: Pipeline, id: number) => T | undefined;
}

/** Lists of what is in pipelines, pipeline by pipeline. */
@Injectable()
export class JobList {
  constructor(@InjectModel('Pipeline') private readonly pipelines: Model<Pipeline>) {}

  /**
   * One page of the content of matching pipelines. Walks their outlines in order, by default newest first, stops
   * after the page if the count exceeds what clients get, and reads only the pipelines of the page as a whole.
   */
  async page<T>(
    filter: QueryFilter<Pipeline>,
    { idsIn, pick }: Listed<T>,
    input: { page: number; per_page: number },
    direction: 1 | -1 = -1,
  ): Promise<Page<T>> {
    const { skip, limit } = window(input);
    const shown: { id: number; pipelineId: number }[] = [];
    let count = 0;
    const outlines = this.pipelines.find(filter, outlineFields).sort({ _id: direction }).lean<PipelineOutline>();
    for await (const outline of outlines.cursor()) {
      for (const id of idsIn(outline)) {
        if (count >= skip && shown.length < limit) shown.push({ id, pipelineId: outline._id });
        count += 1;
      }
      if (count > countLimit && shown.length === limit) break;
    }
    const wanted = [...new Set(shown.map(({ pipelineId }) => pipelineId))];
    const found = await this.pipelines.find({ _id: { $in: wanted } }).lean<Pipeline[]>();
    const whole = new Map(found.map((pipeline) => [pipeline._id, pipeline]));
    // A pipeline may have been deleted meanwhile.
    const items = shown.flatMap(({ id, pipelineId }) => {
      const pipeline = whole.get(pipelineId);
      return (pipeline && pick(pipeline, id)) ?? [];
    });
    return { items, ...(count <= countLimit && { total: count }) };
  }
}

const newestFirst = <T extends { id: number }>(jobs: readonly T[]): T[] => [...jobs].sort((a, b) => b.id - a.id);

/** Newest first. */
export const placedJobs = (pipeline: Pipeline): PlacedJob[] =>
  newestFirst(pipeline.jobs).map((job) => ({ job, pipeline }));

export const pickJob = (pipeline: Pipeline, id: number): PlacedJob | undefined => {
  const job = pipeline.jobs.find((one) => one.id === id);
  return job && { job, pipeline };
};

/** Jobs, newest first. */
export const jobsThat = (isMeant: (job: JobOutline) => boolean): Listed<PlacedJob> => ({
  idsIn: ({ jobs }) => newestFirst(jobs.filter(isMeant)).map(({ id }) => id),
  pick: pickJob,
});

/** @param scope as clients ask for it: no states are all */
export const isInScope =
  (scope: readonly string[]) =>
  ({ status }: Pick<Job, 'status'>): boolean =>
    scope.length === 0 || scope.includes(status);
