import { isError, jobErrors, pipelineErrors } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { start } from '../../pipeline/job-transitions';
import { Pipelines } from '../../pipeline/pipeline.repository';
import { Environments } from '../environment.repository';
import type { EnvironmentRecord, Stopper } from '../environment.schema';

/** Stops environments. See docs/api/deployments.md#3. */
@Injectable()
export class StopEnvironment {
  constructor(
    private readonly environments: Environments,
    private readonly pipelines: Pipelines,
  ) {}

  /**
   * Runs its on_stop job, or stops the environment immediately without one. Idempotent.
   * @param userId the user of that job
   * @throws environment.not_found if it was deleted meanwhile
   */
  async stop({ _id, stopper }: EnvironmentRecord, userId: number | null, { force = false } = {}) {
    const stopped = {
      $set: { state: 'stopped' as const, stopAskedAt: new Date() },
      $unset: { autoStopAt: 1 as const },
    };
    if (force || !stopper) return this.environments.setState(_id, stopped);
    // Before the job starts, so that the event of its end arrives later.
    await this.environments.setState(_id, { $set: { state: 'stopping', stopAskedAt: new Date() } });
    if (!(await this.isStarted(stopper, userId))) return this.environments.setState(_id, stopped);
    return this.environments.setState(_id, { $unset: { autoStopAt: 1 } });
  }

  private async isStarted({ pipelineId, jobName }: Stopper, userId: number | null): Promise<boolean> {
    const newId = await this.pipelines.takeJobIds(1);
    try {
      await this.pipelines.change(pipelineId, start(jobName, newId, userId));
      return true;
    } catch (error) {
      const isLost = [jobErrors.notFound, jobErrors.notPlayable, jobErrors.notRetryable, pipelineErrors.notFound];
      if (isLost.some((lost) => isError(error, lost))) return false;
      throw error;
    }
  }
}
