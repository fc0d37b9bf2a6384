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

/** What the owner of a schedule, and maintainers, may do to it. */
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
    const changes = changesOf(before, input);
    const schedule = await this.schedules.change(before._id, changes);
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

/** Whatever was changed, the next run counts from now. Source: specification 3. */
function changesOf(before: PipelineSchedule, input: ParsedOf<typeof updateSchedule>): Partial<PipelineSchedule> {
  const described = {
    description: input.description ?? before.description,
    cron: input.cron ?? before.cron,
    cronTimezone: input.cron_timezone ?? before.cronTimezone,
  };
  return {
    ...described,
    ref: input.ref ?? before.ref,
    isActive: input.active ?? before.isActive,
    nextRunAt: nextRunOf(described, new Date()),
    ...(input.active !== undefined && { deactivationReason: null }),
  };
}
