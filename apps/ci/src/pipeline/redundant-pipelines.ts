import { branchTips, mergeRequestIidOf, type ProjectRef } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { cancelRedundant } from './job-transitions';
import { Pipelines } from './pipeline.repository';
import type { Pipeline } from './pipeline.schema';

/** Limit for one ref; earlier ones were canceled by the ones they were made redundant by. */
const most = 50;

/** Cancels pipelines that a newer one of the same ref makes redundant. See docs/api/pipelines.md#8. */
@Injectable()
export class RedundantPipelines {
  constructor(
    private readonly pipelines: Pipelines,
    private readonly client: OperationClient,
  ) {}

  /** Safe to repeat. */
  async cancel(pipeline: Pipeline, project: ProjectRef): Promise<void> {
    if (!project.ci?.cancelsRedundant || pipeline.source === 'schedule' || pipeline.status === 'skipped') return;
    const older = await this.pipelines.findRedundant(pipeline, most);
    if (older.length === 0) return;
    // Pushes arrive in any order: the pipeline of the last one may exist before those of earlier ones.
    const tip = await this.tipOf(pipeline, project);
    for (const { _id, sha, autoCancel } of older) {
      if (sha !== tip) await this.pipelines.change(_id, cancelRedundant(autoCancel?.onNewCommit));
    }
  }

  /** The current head of the branch; undefined if the ref is no branch. */
  private async tipOf({ ref, isTag }: Pipeline, project: ProjectRef): Promise<string | null | undefined> {
    if (isTag || mergeRequestIidOf(ref) !== undefined) return undefined;
    const tips = await this.client.call(branchTips, { branches: [ref] }, { project });
    return tips.find(({ name }) => name === ref)?.sha;
  }
}
