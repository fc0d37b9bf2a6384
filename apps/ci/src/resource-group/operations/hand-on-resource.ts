import { eachAlone, PeriodicJob } from '@moothall/background';
import {
  type EventData,
  type EventRecord,
  isError,
  jobChanged,
  jobErrors,
  pipelineErrors,
  projectDeleted,
} from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { jobOf, receive } from '../../pipeline/job-transitions';
import { Pipelines } from '../../pipeline/pipeline.repository';
import { ResourceGroups } from '../resource-group.repository';
import type { ResourceGroup } from '../resource-group.schema';
import { UpcomingJobs } from './upcoming-jobs';

/**
 * Gives a free resource to the next job. The record of the group names its owner, and is written before the job
 * starts: a process that finds an owner that still waits completes that step. So at most one job runs, whatever ends
 * and however many replicas receive the event. See docs/api/deployments.md#2.
 */
@Injectable()
export class HandOnResource {
  constructor(
    private readonly groups: ResourceGroups,
    private readonly pipelines: Pipelines,
    private readonly upcoming: UpcomingJobs,
  ) {}

  @OnEvent(jobChanged, 'HandOnResource-onJobChanged')
  async onJobChanged({ data }: EventRecord<EventData<typeof jobChanged>>): Promise<void> {
    if (data.resource_group !== undefined) await this.handOn(data.project_id, data.resource_group);
  }

  @OnEvent(projectDeleted, 'HandOnResource-onProjectDeleted')
  async onProjectDeleted({ data }: EventRecord<EventData<typeof projectDeleted>>): Promise<void> {
    await this.groups.removeOfProject(data.project_id);
  }

  /** Jobs that were deleted with their pipeline have no event. */
  @PeriodicJob('resources of jobs that are gone', { everySeconds: 60 })
  async run(signal?: AbortSignal): Promise<void> {
    await eachAlone(this.groups.held(), ({ projectId, key }) => this.handOn(projectId, key), signal);
  }

  /** Safe to repeat, and beside others. */
  async handOn(projectId: number, key: string): Promise<void> {
    for (;;) {
      const group = await this.groups.find(projectId, key);
      if (!group || (await this.isHeld(group))) return;
      const next = await this.upcoming.next(group);
      if (!next) return;
      await this.groups.take(group, next.job.id);
    }
  }

  private async isHeld(group: ResourceGroup): Promise<boolean> {
    const { holderJobId } = group;
    if (holderJobId === undefined) return false;
    if (await this.isGoingOn(holderJobId, group.projectId)) return true;
    await this.groups.release(group, holderJobId);
    return false;
  }

  private async isGoingOn(jobId: number, projectId: number): Promise<boolean> {
    try {
      const found = await this.pipelines.getOfJob(jobId, projectId);
      const isWaiting = jobOf(found.jobs, jobId).status === 'waiting_for_resource';
      const { jobs } = isWaiting ? await this.pipelines.change(found._id, receive(jobId)) : found;
      return ['pending', 'running'].includes(jobOf(jobs, jobId).status);
    } catch (error) {
      if (isError(error, jobErrors.notFound) || isError(error, pipelineErrors.notFound)) return false;
      throw error;
    }
  }
}
