import { type DeploymentStatus, deploymentStatuses } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { Deployments } from '../deployment.repository';
import type { DeploymentRecord } from '../deployment.schema';
import { Environments } from '../environment.repository';
import type { EnvironmentRecord, Stopper } from '../environment.schema';

export const unfinished: readonly DeploymentStatus[] = ['created', 'running'];

/** A new status of a deployment, from its job or an external program. */
interface StatusReport {
  status: DeploymentStatus;
  at: Date;
  externalUrl?: string | undefined;
  stopper?: Omit<Stopper, 'deploymentId'>;
  autoStopSeconds?: number | undefined;
  /** Statuses that may change; a late report changes nothing. */
  from: readonly DeploymentStatus[];
}

/** Stores statuses of deployments, and their effects on environments. Idempotent. */
@Injectable()
export class SettleDeployment {
  constructor(
    private readonly environments: Environments,
    private readonly deployments: Deployments,
  ) {}

  /** @returns the deployment after it */
  async settle(
    deployment: DeploymentRecord,
    environment: EnvironmentRecord,
    said: StatusReport,
  ): Promise<DeploymentRecord> {
    const { status, at, from } = said;
    const hasEnded = !unfinished.includes(status);
    const states = deploymentStatuses.filter((one) => one !== status && from.includes(one) && isBefore(one, status));
    const change = { status, finishedAt: hasEnded ? at : null };
    const changed = await this.deployments.setStatus(deployment, environment, change, states);
    // The process that wrote it may have ended before this.
    const after = changed ?? (await this.deployments.find(deployment._id)) ?? deployment;
    if (after.status === status && hasEnded) await this.leave(after, said);
    return after;
  }

  private async leave({ _id, environmentId, ref, finishedAt }: DeploymentRecord, said: StatusReport): Promise<void> {
    const { status, at, externalUrl, stopper, autoStopSeconds } = said;
    if (stopper) await this.environments.noteStopper(environmentId, { deploymentId: _id, ...stopper });
    if (status !== 'success') return;
    const deployedAt = finishedAt ?? at;
    const autoStopAt = autoStopSeconds === undefined ? undefined : new Date(at.getTime() + autoStopSeconds * 1000);
    await this.environments.noteSuccess({ _id, environmentId, ref, deployedAt, externalUrl, autoStopAt });
  }
}

/** A late event does not set an ended job back to running. */
const isBefore = (before: DeploymentStatus, after: DeploymentStatus): boolean =>
  after !== 'created' && (after !== 'running' || before === 'created' || !unfinished.includes(before));
