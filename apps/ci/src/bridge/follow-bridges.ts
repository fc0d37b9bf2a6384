import { eachAlone, PeriodicJob } from '@moothall/background';
import {
  type EventData,
  type EventRecord,
  jobChanged,
  type PipelineStatus,
  pipelineChanged,
} from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import type { PlacedJob } from '../job/job.view';
import { mirror, notTriggered, triggered } from '../pipeline/bridge-transitions';
import { cancelAll, jobOf } from '../pipeline/job-transitions';
import { Pipelines } from '../pipeline/pipeline.repository';
import type { Job, Pipeline } from '../pipeline/pipeline.schema';
import { MakeDownstream } from './make-downstream';

/** The state of a job that waits for a pipeline; none while that runs. */
const ends: Partial<Record<PipelineStatus, 'success' | 'failed' | 'canceled'>> = {
  success: 'success',
  failed: 'failed',
  skipped: 'failed',
  canceled: 'canceled',
};

/** Creates the pipelines of trigger jobs, and copies their status to the jobs. See docs/api/pipeline-files.md#7. */
@Injectable()
export class FollowBridges {
  constructor(
    private readonly pipelines: Pipelines,
    private readonly downstream: MakeDownstream,
  ) {}

  @OnEvent(jobChanged, 'FollowBridges-onJobChanged')
  async onJobChanged({ data }: EventRecord<EventData<typeof jobChanged>>): Promise<void> {
    if (data.is_bridge) await this.advance(data.job_id);
  }

  @OnEvent(pipelineChanged, 'FollowBridges-onPipelineChanged')
  async onPipelineChanged({ data }: EventRecord<EventData<typeof pipelineChanged>>): Promise<void> {
    if (data.upstream_job_id !== undefined) await this.advance(data.upstream_job_id);
  }

  /** Deleted pipelines have no event. */
  @PeriodicJob('jobs that trigger pipelines', { everySeconds: 60 })
  async run(signal?: AbortSignal): Promise<void> {
    const isGoingOn = ({ isBridge, status }: Job) => isBridge && (status === 'pending' || status === 'running');
    const advanceAll = async ({ jobs }: Pipeline) => {
      for (const { id } of jobs.filter(isGoingOn)) await this.advance(id);
    };
    await eachAlone(this.pipelines.withBridges(), advanceAll, signal);
  }

  /** Safe to repeat, and beside others. */
  async advance(jobId: number): Promise<void> {
    const [placed] = await this.pipelines.placedJobs([jobId]);
    if (placed?.job.status === 'pending') await this.trigger(placed);
    if (placed?.job.status === 'running') await this.mirror(placed);
    if (placed?.job.status === 'canceled') await this.cancelChild(placed);
  }

  private async trigger(placed: PlacedJob): Promise<void> {
    const { job, pipeline } = placed;
    const outcome = await this.downstream.make(placed);
    const { jobs } = await this.pipelines.change(
      pipeline._id,
      'failure' in outcome
        ? notTriggered(job.id, outcome.failure, outcome.downstream)
        : triggered(job.id, outcome.downstream, outcome.depends),
    );
    const after = { pipeline, job: jobOf(jobs, job.id) };
    // Canceled meanwhile; or its downstream pipeline ended before the job knew it.
    if (after.job.status === 'canceled') await this.cancelChild(after);
    if (after.job.status === 'running') await this.mirror(after);
  }

  private async mirror({ job, pipeline }: PlacedJob): Promise<void> {
    const made = job.downstream && (await this.pipelines.find(job.downstream.pipelineId));
    const end = made ? ends[made.status] : 'failed';
    if (end) await this.pipelines.change(pipeline._id, mirror(job.id, end));
  }

  /** A pipeline of the same commit is canceled with the job; one of another project is independent. */
  private async cancelChild({ job, pipeline }: PlacedJob): Promise<void> {
    const made = await this.downstream.find(job);
    if (made?.projectId === pipeline.projectId) await this.pipelines.change(made._id, cancelAll);
  }
}
