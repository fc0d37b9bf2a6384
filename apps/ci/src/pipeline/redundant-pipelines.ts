import type { ProjectRef } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { cancelRedundant } from './job-transitions';
import { Pipelines } from './pipeline.repository';
import type { Pipeline } from './pipeline.schema';

/** Of one ref; those before them were canceled by the ones they made redundant. */
const most = 50;

/** Cancels what a newer pipeline of the same ref makes needless. See docs/api/pipelines.md#8. */
@Injectable()
export class RedundantPipelines {
  constructor(private readonly pipelines: Pipelines) {}

  /** Safe to repeat. */
  async cancel(pipeline: Pipeline, { ci }: Pick<ProjectRef, 'ci'>): Promise<void> {
    if (!ci?.cancelsRedundant || pipeline.source === 'schedule' || pipeline.status === 'skipped') return;
    for (const { _id } of await this.pipelines.findRedundant(pipeline, most)) {
      await this.pipelines.change(_id, cancelRedundant);
    }
  }
}
