import { countLimit, type Page, window } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { Pipeline } from '../pipeline/pipeline.schema';
import type { PlacedJob } from './job.view';

/** Lists of jobs over many pipelines, newest pipeline first. */
@Injectable()
export class JobList {
  constructor(@InjectModel('Pipeline') private readonly pipelines: Model<Pipeline>) {}

  /**
   * One page of the jobs inside of the pipelines that match. Walks them in order and stops behind the page once the
   * count goes beyond what clients are told.
   */
  async page(
    filter: QueryFilter<Pipeline>,
    isMeant: (placed: PlacedJob) => boolean,
    input: { page: number; per_page: number },
  ): Promise<Page<PlacedJob>> {
    const { skip, limit } = window(input);
    const items: PlacedJob[] = [];
    let count = 0;
    for await (const pipeline of this.pipelines.find(filter).sort({ _id: -1 }).lean<Pipeline>().cursor()) {
      for (const placed of placedJobs(pipeline).filter(isMeant)) {
        if (count >= skip && items.length < limit) items.push(placed);
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

/** @param scope as clients ask for it: no states are all */
export const isInScope =
  (scope: readonly string[]) =>
  ({ job }: PlacedJob): boolean =>
    scope.length === 0 || scope.includes(job.status);
