import {
  type ContextOf,
  deleteSchedule,
  type ParsedOf,
  takeScheduleOwnership,
  updateSchedule,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { requireActive } from '../pipeline/pipeline-rules';
import { RefRights } from '../pipeline/ref-rights';
import { Schedules } from './schedule.repository';
import type { PipelineSchedule } from './schedule.schema';
import { ScheduleViews } from './schedule.view';
import { nextRunOf, requireChangeable } from './schedule-rules';

type Target = ContextOf<typeof updateSchedule>;

/** Operations on a schedule for its owner and maintainers. */
@Controller()
export class ChangeSchedule {
  constructor(
    private readonly schedules: Schedules,
    private readonly refs: RefRights,
    private readonly views: ScheduleViews,
  ) {}

  @Handles(updateSchedule)
  async update(context: Target, input: ParsedOf<typeof updateSchedule>) {
    const before = await this.changeable(context, input.pipeline_schedule_id);
    for (const ref of new Set([before.ref, input.ref ?? before.ref])) {
      await this.refs.require(context.project, context.caller, ref);
    }
    const schedule = await this.schedules.changeByTime(before._id, (current) => changesOf(current, input));
    return this.views.detail(schedule, context.project, context.caller);
  }

  @Handles(takeScheduleOwnership)
  async takeOwnership(context: Target, input: ParsedOf<typeof takeScheduleOwnership>) {
    const { _id } = await this.changeable(context, input.pipeline_schedule_id);
    const schedule = await this.schedules.change(_id, { ownerId: context.caller.id });
    return this.views.detail(schedule, context.project, context.caller);
  }

  @Handles(deleteSchedule)
  async delete(context: Target, input: ParsedOf<typeof deleteSchedule>) {
    const schedule = await this.changeable(context, input.pipeline_schedule_id);
    const view = await this.views.detail(schedule, context.project, context.caller);
    await this.schedules.remove(schedule._id);
    return view;
  }

  private async changeable({ project, caller }: Target, id: number): Promise<PipelineSchedule> {
    requireActive(project);
    const schedule = await this.schedules.get(project.id, id);
    requireChangeable(schedule, project, caller);
    return schedule;
  }
}

/**
 * Only the given fields, so that two concurrent changes both count; in any case the next run is computed from now.
 * See docs/api/pipelines.md#4.
 */
function changesOf(current: PipelineSchedule, input: ParsedOf<typeof updateSchedule>): Partial<PipelineSchedule> {
  const { cron = current.cron, cron_timezone: cronTimezone = current.cronTimezone } = input;
  const { description = current.description } = input;
  return {
    ...(input.description !== undefined && { description }),
    ...(input.ref !== undefined && { ref: input.ref }),
    ...(input.cron !== undefined && { cron }),
    ...(input.cron_timezone !== undefined && { cronTimezone }),
    ...(input.active !== undefined && { isActive: input.active, deactivationReason: null }),
    nextRunAt: nextRunOf({ description, cron, cronTimezone }, new Date()),
  };
}
