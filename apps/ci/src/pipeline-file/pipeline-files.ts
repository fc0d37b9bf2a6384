import path from 'node:path';
import { commonErrors } from '@moothall/contracts';
import { settingsToken } from '@moothall/service';
import { OutOfBounds, WorkerPool } from '@moothall/workers';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { CiSettings } from '../settings/settings';
import type { ChosenJob, Occasion } from './choose-jobs';
import type { FileLimits } from './file-limits';
import { PipelineFileError } from './job-spec';
import type { Outcome, Work } from './work-out';

/** Works pipeline files out in threads of their own, since whoever may push writes them. */
@Injectable()
export class PipelineFiles implements OnApplicationShutdown {
  private readonly limits: FileLimits;
  private readonly pool: WorkerPool<Work, Outcome>;

  constructor(@Inject(settingsToken) settings: CiSettings) {
    this.limits = {
      sizeBytes: settings.CI_MAX_YAML_SIZE,
      depth: settings.CI_MAX_YAML_DEPTH,
      values: settings.CI_MAX_YAML_VALUES,
      jobs: settings.CI_MAX_JOBS,
      needs: settings.CI_MAX_NEEDS,
      pipelineBytes: settings.CI_MAX_PIPELINE_SIZE,
    };
    this.pool = new WorkerPool(path.join(__dirname, 'work-out.js'), {
      withinMs: settings.CI_YAML_TIMEOUT * 1000,
      threads: 2,
    });
  }

  /** @throws PipelineFileError with a text for the file's author; common.unavailable when too many files wait */
  async jobsFor(content: string, occasion: Occasion): Promise<ChosenJob[]> {
    if (Buffer.byteLength(content) > this.limits.sizeBytes) throw tooBig();
    const work = { content, occasion, limits: this.limits };
    const outcome = await this.pool.run(work, { who: occasion.projectPath }).catch((error: unknown) => {
      if (!(error instanceof OutOfBounds)) throw error;
      if (error.bound === 'waiting') throw commonErrors.unavailable();
      throw new PipelineFileError(`The file takes too much ${error.bound} to be worked out`);
    });
    if ('problem' in outcome) throw new PipelineFileError(outcome.problem);
    return outcome.jobs;
  }

  get sizeBytes(): number {
    return this.limits.sizeBytes;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }
}

export const tooBig = (): PipelineFileError => new PipelineFileError('The parsed YAML is too big');
