import { countLimit, type Page, window } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { Job, Pipeline, ReportedStatus } from '../pipeline/pipeline.schema';
import type { PlacedJob } from './job.view';

/** The fields for filters: of a thousand pipelines not much more is read. */
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

/** The content of a list. */
interface Listed<T> {
  /** Ids of the selected jobs, or statuses, of a pipeline, in the order of the list. */
  idsIn: (pipeline: PipelineOutline) => number[];
  /** One of them from the complete pipeline. */
  pick: (pipeline: Pipeline, id: number) => T | undefined;
}

/** Lists of the content of pipelines, pipeline by pipeline. */
@Injectable()
export class JobList {
  constructor(@InjectModel('Pipeline') private readonly pipelines: Model<Pipeline>) {}

  /**
   * One page of the content of matching pipelines. Reads their outlines in order, by default newest first, stops
   * after the page if the count exceeds what clients get, and reads only the pipelines of the page completely.
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

/** @param scope of the request: no states means all */
export const isInScope =
  (scope: readonly string[]) =>
  ({ status }: Pick<Job, 'status'>): boolean =>
    scope.length === 0 || scope.includes(status);
