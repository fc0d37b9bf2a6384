import { type ContextOf, createSchedule, type ParsedOf } from '@moothall/contracts';
import { Handles, KnownPlanLimits } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { requireActive } from '../pipeline/pipeline-rules';
import { RefRights } from '../pipeline/ref-rights';
import { Schedules } from './schedule.repository';
import { ScheduleViews } from './schedule.view';
import { nextRunOf } from './schedule-rules';

@Controller()
export class CreateSchedule {
  constructor(
    private readonly schedules: Schedules,
    private readonly refs: RefRights,
    private readonly views: ScheduleViews,
    private readonly limits: KnownPlanLimits,
  ) {}

  @Handles(createSchedule)
  async handle({ project, caller }: ContextOf<typeof createSchedule>, input: ParsedOf<typeof createSchedule>) {
    requireActive(project);
    await this.refs.require(project, caller, input.ref);
    const described = { description: input.description, cron: input.cron, cronTimezone: input.cron_timezone };
    const most = await this.limits.most('ci_pipeline_schedules');
    const schedule = await this.schedules.addWithin(most, {
      ...described,
      projectId: project.id,
      ref: input.ref,
      isActive: input.active,
      ownerId: caller.id,
      nextRunAt: nextRunOf(described, new Date()),
    });
    return this.views.detail(schedule, project, caller);
  }
}
