import type { JobStatus, listUpcomingJobs, ParsedOf } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { PlacedJob } from '../../job/job.view';
import { JobList, type JobOutline, type PipelineOutline, pickJob } from '../../job/job-list';
import { unfinished } from '../../pipeline/pipeline.repository';
import type { Pipeline } from '../../pipeline/pipeline.schema';
import type { ResourceGroup } from '../resource-group.schema';

type Asked = Pick<ResourceGroup, 'projectId' | 'key' | 'processMode'>;

/** Jobs that are to get a resource, in the order of its mode. See docs/api/deployments.md#2. */
@Injectable()
export class UpcomingJobs {
  constructor(
    @InjectModel('Pipeline') private readonly pipelines: Model<Pipeline>,
    private readonly jobs: JobList,
  ) {}

  page(group: Asked, input: ParsedOf<typeof listUpcomingJobs>) {
    const idsIn = (pipeline: PipelineOutline) => upcomingIn(pipeline, group);
    return this.jobs.page(filterOf(group), { idsIn, pick: pickJob }, input, directionOf(group));
  }

  /** The next job; null if none waits, or the mode waits for one that is not ready. */
  async next(group: Asked): Promise<PlacedJob | null> {
    const pipeline = await this.pipelines
      .findOne(filterOf(group))
      .sort({ _id: directionOf(group) })
      .lean<Pipeline>();
    const [first] = pipeline ? upcomingIn(pipeline, group) : [];
    const placed = pipeline && first !== undefined ? pickJob(pipeline, first) : undefined;
    return placed?.job.status === 'waiting_for_resource' ? placed : null;
  }
}

/** Strict modes also wait for jobs whose stage has not begun. */
const statusesOf = ({ processMode }: Asked): JobStatus[] =>
  processMode === 'oldest_first' || processMode === 'newest_first'
    ? ['created', 'scheduled', 'waiting_for_resource']
    : ['waiting_for_resource'];

const directionOf = ({ processMode }: Asked): 1 | -1 =>
  processMode === 'newest_first' || processMode === 'newest_ready_first' ? -1 : 1;

const filterOf = (group: Asked): QueryFilter<Pipeline> => ({
  projectId: group.projectId,
  'jobs.resourceGroup': group.key,
  status: { $in: unfinished },
  jobs: { $elemMatch: { resourceGroup: group.key, status: { $in: statusesOf(group) }, isRetried: false } },
});

/** @returns their ids */
function upcomingIn(pipeline: PipelineOutline, group: Asked): number[] {
  const isUpcoming = ({ resourceGroup, status, isRetried }: JobOutline) =>
    resourceGroup === group.key && !isRetried && statusesOf(group).includes(status);
  return pipeline.jobs
    .filter(isUpcoming)
    .sort((a, b) => a.stageIndex - b.stageIndex || a.id - b.id)
    .map(({ id }) => id);
}
