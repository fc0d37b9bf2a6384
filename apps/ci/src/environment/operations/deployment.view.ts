import { type getDeployment, type OutputOf, only, type ProjectRef } from '@moothall/contracts';
import { UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import { JobViews } from '../../job/job.view';
import { Pipelines } from '../../pipeline/pipeline.repository';
import type { DeploymentRecord } from '../deployment.schema';
import { Environments } from '../environment.repository';
import { viewEnvironment } from '../environment.view';

type View = OutputOf<typeof getDeployment>;

/** Deployments in the form of the v4 interface. */
@Injectable()
export class DeploymentViews {
  constructor(
    private readonly users: UserDirectory,
    private readonly environments: Environments,
    private readonly pipelines: Pipelines,
    private readonly jobs: JobViews,
  ) {}

  async one(deployment: DeploymentRecord, project: ProjectRef): Promise<View> {
    return only(await this.many([deployment], project));
  }

  async many(deployments: DeploymentRecord[], project: ProjectRef): Promise<View[]> {
    const [users, environments, jobs] = await Promise.all([
      this.users.summaries(deployments.flatMap(({ userId }) => userId ?? [])),
      this.environments.byIds(deployments.map(({ environmentId }) => environmentId)),
      this.jobsOf(deployments, project),
    ]);
    return deployments.map((deployment) => {
      const environment = environments.get(deployment.environmentId);
      return {
        id: deployment._id,
        iid: deployment.iid,
        ref: deployment.ref,
        sha: deployment.sha,
        status: deployment.status,
        created_at: deployment.createdAt.toISOString(),
        updated_at: deployment.updatedAt.toISOString(),
        finished_at: deployment.finishedAt?.toISOString() ?? null,
        user: users.get(deployment.userId ?? 0) ?? null,
        environment: environment ? viewEnvironment(environment) : null,
        deployable: jobs.get(deployment.jobId ?? 0) ?? null,
        pending_approval_count: 0,
        approvals: [],
      };
    });
  }

  private async jobsOf(deployments: DeploymentRecord[], project: ProjectRef) {
    const placed = await this.pipelines.placedJobs(deployments.flatMap(({ jobId }) => jobId ?? []));
    const views = await this.jobs.many(placed, () => project);
    return new Map(views.map((view) => [view.id, view]));
  }
}
