import { OperationError, type ProjectRef } from '@moothall/contracts';
import { WorksOn } from '@moothall/jobs';
import { Injectable, Logger } from '@nestjs/common';
import { AlreadyTriggered } from '../pipeline/pipeline-insertion';
import { PipelineMaker } from '../pipeline/pipeline-maker';
import { runsPipelines } from '../pipeline/pipeline-rules';
import { Schedules } from '../schedule/schedule.repository';
import type { PipelineSchedule } from '../schedule/schedule.schema';
import { nextRunOf } from '../schedule/schedule-rules';
import { RunPermissions, reasons } from './run-permissions';
import { scheduleRuns } from './schedule-runs';

/**
 * Creates the pipeline of a due schedule, then sets the next run. After a kill in between it runs again: the
 * pipeline's unique key (schedule and due time) refuses the second one. A schedule that was due several times during
 * a stop runs once, since it only stores the first missed time, and continues from now.
 */
@Injectable()
export class RunSchedule {
  private readonly log = new Logger(RunSchedule.name);

  constructor(
    private readonly schedules: Schedules,
    private readonly runPermissions: RunPermissions,
    private readonly maker: PipelineMaker,
  ) {}

  @WorksOn(scheduleRuns)
  async run(job: { scheduleId: number; dueAt: string }): Promise<void> {
    const dueAt = new Date(job.dueAt);
    const schedule = await this.schedules.find(job.scheduleId);
    // Run already, or changed since it was queued: its next time is another one then.
    if (!schedule?.isActive || schedule.nextRunAt?.getTime() !== dueAt.getTime()) return;
    const runPermission = await this.runPermissions.find(schedule.ownerId, schedule.projectId);
    if ('reason' in runPermission) return this.deactivate(schedule, runPermission.reason);
    const refusal = runsPipelines(runPermission.project)
      ? await this.makePipeline(schedule, runPermission, dueAt)
      : undefined;
    if (refusal) return this.deactivate(schedule, refusal);
    await this.moveOn(schedule, dueAt);
  }

  /** @returns why there is no pipeline, now and the next time */
  private async makePipeline(
    schedule: PipelineSchedule,
    { project, isAdmin }: { project: ProjectRef; isAdmin: boolean },
    dueAt: Date,
  ): Promise<string | undefined> {
    const draft = await this.maker.draft({
      project,
      ref: schedule.ref,
      source: 'schedule',
      userId: schedule.ownerId,
      isAdmin,
      isWanted: true,
      variables: schedule.variables,
      schedule: { id: schedule._id, description: schedule.description },
      triggerKey: `${schedule._id}@${dueAt.toISOString()}`,
    });
    if (draft.refusal) return refusals[draft.refusal];
    await this.maker.save(draft).catch((error: unknown) => {
      // Created before: by another worker, or by one that died before it set the next run.
      if (!(error instanceof AlreadyTriggered)) throw error;
    });
    return undefined;
  }

  private async moveOn(schedule: PipelineSchedule, dueAt: Date): Promise<void> {
    try {
      // A clock that was set back must not repeat a time.
      const after = new Date(Math.max(Date.now(), dueAt.getTime()));
      await this.schedules.advance({ scheduleId: schedule._id, dueAt, nextRunAt: nextRunOf(schedule, after) });
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      await this.deactivate(schedule, reasons.unreadable);
    }
  }

  private async deactivate(schedule: PipelineSchedule, reason: string): Promise<void> {
    this.log.warn(`schedule ${schedule._id} of project ${schedule.projectId} is deactivated: ${reason}`);
    await this.schedules.deactivateOne(schedule._id, schedule.ownerId, reason);
  }
}

const refusals = { ref_gone: reasons.refGone, ref_protected: reasons.refProtected };
