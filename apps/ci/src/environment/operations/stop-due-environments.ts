import { eachAlone, PeriodicJob } from '@moothall/background';
import { environmentErrors, isError } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { Deployments } from '../deployment.repository';
import { Environments } from '../environment.repository';
import type { EnvironmentRecord } from '../environment.schema';
import { StopEnvironment } from './stop-environment';

const batch = 200;

/** Stops environments after their auto_stop time, as the user of the last deployment. See docs/api/deployments.md#3. */
@Injectable()
export class StopDueEnvironments {
  constructor(
    private readonly environments: Environments,
    private readonly deployments: Deployments,
    private readonly stopping: StopEnvironment,
  ) {}

  @PeriodicJob('environments to stop', { everySeconds: 60 })
  async run(signal?: AbortSignal): Promise<void> {
    const due = await this.environments.due(new Date(), batch);
    await eachAlone(due, (environment) => this.stop(environment), signal);
  }

  /** Without a user it stays if only a job can stop it. */
  async stop(environment: EnvironmentRecord): Promise<void> {
    const { _id, autoStopSetting, stopper, lastDeploymentId } = environment;
    try {
      if (autoStopSetting === 'with_action' && !stopper) {
        await this.environments.setState(_id, { $unset: { autoStopAt: 1 } });
        return;
      }
      const last = lastDeploymentId === undefined ? null : await this.deployments.find(lastDeploymentId);
      await this.stopping.stop(environment, last?.userId ?? null);
    } catch (error) {
      if (!isError(error, environmentErrors.notFound)) throw error;
    }
  }
}
