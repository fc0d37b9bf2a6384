import { countLimit, type Page, window } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { Pipeline } from '../pipeline/pipeline.schema';
import type { PlacedJob } from './job.view';

/** Lists of what is in pipelines, pipeline by pipeline. */
@Injectable()
export class JobList {
  constructor(@InjectModel('Pipeline') private readonly pipelines: Model<Pipeline>) {}

  /**
   * One page of what is inside of the pipelines that match. Walks them in order, newest first unless told, and stops
   * behind the page once the count goes beyond what clients are told.
   */
  async page<T>(
    filter: QueryFilter<Pipeline>,
    itemsIn: (pipeline: Pipeline) => T[],
    input: { page: number; per_page: number },
    direction: 1 | -1 = -1,
  ): Promise<Page<T>> {
    const { skip, limit } = window(input);
    const items: T[] = [];
    let count = 0;
    for await (const pipeline of this.pipelines.find(filter).sort({ _id: direction }).lean<Pipeline>().cursor()) {
      for (const item of itemsIn(pipeline)) {
        if (count >= skip && items.length < limit) items.push(item);
        count += 1;
      }
      if (count > countLimit && items.length === limit) return { items };
    }
    return { items, ...(count <= countLimit && { total: count }) };
  }
}

/** Newest first. */
export const placedJobs = (pipeline: Pipeline): PlacedJob[] =>
  pipeline.jobs.map((job) => ({ job, pipeline })).sort((a, b) => b.job.id - a.job.id);

export const jobsIn =
  (isMeant: (placed: PlacedJob) => boolean) =>
  (pipeline: Pipeline): PlacedJob[] =>
    placedJobs(pipeline).filter(isMeant);

/** @param scope as clients ask for it: no states are all */
export const isInScope =
  (scope: readonly string[]) =>
  ({ job }: PlacedJob): boolean =>
    scope.length === 0 || scope.includes(job.status);
