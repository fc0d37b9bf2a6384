import {
  type DeploymentStatus,
  type EventData,
  type EventRecord,
  type JobStatus,
  jobChanged,
  repositoryUpdated,
} from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import type { PlacedJob } from '../../job/job.view';
import { Pipelines } from '../../pipeline/pipeline.repository';
import { secondsIn } from '../../pipeline-file/duration';
import type { JobEnvironment } from '../../pipeline-file/job-spec';
import { Deployments } from '../deployment.repository';
import { Environments } from '../environment.repository';
import { SettleDeployment, unfinished } from './settle-deployment';
import { StopDueEnvironments } from './stop-due-environments';

/** The status of a deployment by that of its job; none before the job may run. */
const statuses: Record<JobStatus, DeploymentStatus | undefined> = {
  created: undefined,
  manual: undefined,
  scheduled: undefined,
  waiting_for_resource: 'created',
  pending: 'created',
  running: 'running',
  success: 'success',
  failed: 'failed',
  canceled: 'canceled',
  skipped: 'skipped',
};

const noObject = /^0+$/;
const mostOfRef = 100;

/** Deployments and stops by jobs. Events may arrive twice and in any order. */
@Injectable()
export class FollowDeployingJobs {
  constructor(
    private readonly pipelines: Pipelines,
    private readonly environments: Environments,
    private readonly deployments: Deployments,
    private readonly settling: SettleDeployment,
    private readonly due: StopDueEnvironments,
  ) {}

  @OnEvent(jobChanged, 'FollowDeployingJobs-onJobChanged')
  async onJobChanged({ data }: EventRecord<EventData<typeof jobChanged>>): Promise<void> {
    if (data.environment === undefined) return;
    const [placed] = await this.pipelines.placedJobs([data.job_id]);
    const environment = placed?.job.environment;
    if (!placed || !environment) return;
    if (environment.action === 'start') await this.deploy(placed, environment);
    if (environment.action === 'stop') await this.stop(placed, environment);
  }

  /** An environment of a deleted branch is stopped by its on_stop job. */
  @OnEvent(repositoryUpdated, 'FollowDeployingJobs-onPush')
  async onPush({ data }: EventRecord<EventData<typeof repositoryUpdated>>): Promise<void> {
    for (const { ref, after } of data.changes) {
      const branch = /^refs\/heads\/(.+)$/s.exec(ref)?.[1];
      if (branch === undefined || !noObject.test(after)) continue;
      const left = await this.environments.ofRef(data.project_id, branch, mostOfRef);
      for (const environment of left) if (environment.stopper) await this.due.stop(environment);
    }
  }

  private async deploy({ job, pipeline }: PlacedJob, { name, tier, url, onStop, autoStopIn }: JobEnvironment) {
    const environment = await this.environments.ensure(pipeline.projectId, name, tier);
    const status = statuses[job.status];
    const known = await this.deployments.findOfJob(job.id);
    // Canceled or skipped before it could run.
    if (!status || (!known && !job.queuedAt && job.status !== 'waiting_for_resource')) return;
    const deployment =
      known ??
      (await this.deployments.ensure(environment, {
        ...{ jobId: job.id, pipelineId: pipeline._id, ref: pipeline.ref, isTag: pipeline.isTag, sha: pipeline.sha },
        ...{ userId: job.userId, status: 'created', finishedAt: null },
      }));
    const days = autoStopIn === undefined ? undefined : secondsIn(autoStopIn);
    await this.settling.settle(deployment, environment, {
      status,
      at: job.finishedAt ?? new Date(),
      externalUrl: url,
      ...(onStop !== undefined && { stopper: { pipelineId: pipeline._id, jobName: onStop } }),
      autoStopSeconds: days,
      from: unfinished,
    });
  }

  private async stop({ job, pipeline }: PlacedJob, { name }: JobEnvironment): Promise<void> {
    if (job.status !== 'success' || !job.finishedAt) return;
    await this.environments.noteStopped(pipeline.projectId, name, job.finishedAt);
  }
}
