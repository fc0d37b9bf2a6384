import { eachAlone, PeriodicJob } from '@moothall/background';
import { Injectable } from '@nestjs/common';
import { giveUp } from '../pipeline/job-transitions';
import { Pipelines } from '../pipeline/pipeline.repository';
import type { Job, Pipeline } from '../pipeline/pipeline.schema';
import { deadlineOf } from '../pipeline/pipeline-state';

const batch = 200;

/** Times out jobs that no runner gets, and those of lost runners. */
@Injectable()
export class GiveUpJobs {
  constructor(private readonly pipelines: Pipelines) {}

  @PeriodicJob('overdue jobs', { everySeconds: 60 })
  async run(signal?: AbortSignal): Promise<void> {
    const now = new Date();
    const giveUpOverdue = async ({ _id, jobs }: Pipeline) => {
      const firstId = await this.pipelines.takeJobIds(jobs.length);
      const isOverdue = (job: Job) => (deadlineOf(job) ?? now) < now;
      await this.pipelines.change(_id, giveUp(isOverdue, firstId));
    };
    await eachAlone(await this.pipelines.overdue(now, batch), giveUpOverdue, signal);
  }
}
