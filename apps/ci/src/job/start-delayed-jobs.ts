import { eachAlone, PeriodicJob } from '@moothall/background';
import { type EventData, type EventRecord, jobChanged } from '@moothall/contracts';
import { Jobs, WorksOn } from '@moothall/jobs';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Pipelines } from '../pipeline/pipeline.repository';
import { startOf } from '../pipeline/pipeline-state';
import { startDue } from '../pipeline/start-due';
import { delayedJobs } from './delayed-jobs';

const batch = 200;

/**
 * Starts delayed jobs at their time: by the queue on time, and by the periodic job after a loss of the queue, since
 * the pipeline stores its next start. A job that was played or canceled meanwhile does not change. See
 * docs/api/pipeline-files.md#6.
 */
@Injectable()
export class StartDelayedJobs {
  constructor(
    private readonly pipelines: Pipelines,
    private readonly jobs: Jobs,
  ) {}

  @OnEvent(jobChanged, 'StartDelayedJobs-onJobChanged')
  async onJobChanged({ data }: EventRecord<EventData<typeof jobChanged>>): Promise<void> {
    if (data.start_in === undefined) return;
    const [placed] = await this.pipelines.placedJobs([data.job_id]);
    const startsAt = placed && startOf(placed.job);
    if (!startsAt) return;
    const delaySeconds = Math.max(0, startsAt.getTime() - Date.now()) / 1000;
    await this.jobs.add(delayedJobs, { jobId: data.job_id }, { id: `job ${data.job_id}`, delaySeconds });
  }

  @WorksOn(delayedJobs)
  async start({ jobId }: { jobId: number }): Promise<void> {
    const pipeline = await this.pipelines.findOfJob(jobId);
    if (pipeline) await this.pipelines.change(pipeline._id, startDue);
  }

  @PeriodicJob('delayed jobs', { everySeconds: 10 })
  async run(signal?: AbortSignal): Promise<void> {
    const due = await this.pipelines.dueToStart(new Date(), batch);
    await eachAlone(due, ({ _id }) => this.pipelines.change(_id, startDue), signal);
  }
}
