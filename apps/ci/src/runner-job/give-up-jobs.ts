import { Jobs, jobQueue, WorksOn } from '@moothall/jobs';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { giveUp } from '../pipeline/job-transitions';
import { Pipelines } from '../pipeline/pipeline.repository';
import type { Job } from '../pipeline/pipeline.schema';
import { deadlineOf } from '../pipeline/pipeline-state';

export const overdueJobs = jobQueue<Record<string, never>>({ name: 'ci.overdue-jobs' });

const everySeconds = 60;
const batch = 200;

/** Fails jobs that no runner takes, and those whose runner is gone. */
@Injectable()
export class GiveUpJobs implements OnApplicationBootstrap {
  constructor(
    private readonly jobs: Jobs,
    private readonly pipelines: Pipelines,
    @Inject(settingsToken) private readonly settings: ServiceSettings,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.settings.ROLES.includes('worker')) await this.jobs.every(overdueJobs, everySeconds, {});
  }

  @WorksOn(overdueJobs)
  async run(): Promise<void> {
    const now = new Date();
    for (const { _id, jobs } of await this.pipelines.overdue(now, batch)) {
      const firstId = await this.pipelines.takeJobIds(jobs.length);
      const isOverdue = (job: Job) => (deadlineOf(job) ?? now) < now;
      await this.pipelines.change(_id, giveUp(isOverdue, firstId));
    }
  }
}
