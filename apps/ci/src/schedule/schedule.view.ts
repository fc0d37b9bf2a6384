import {
  type Caller,
  type getSchedule,
  type listSchedules,
  type OutputOf,
  only,
  type ProjectRef,
  type UserSummary,
} from '@moothall/contracts';
import { SecretBox } from '@moothall/secrets';
import { UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import { Pipelines } from '../pipeline/pipeline.repository';
import { PipelineViews } from '../pipeline/pipeline.view';
import { openVariable } from '../variable/sealed-variable';
import type { PipelineSchedule } from './schedule.schema';
import { mayChange } from './schedule-rules';

type Basics = OutputOf<typeof listSchedules>['items'][number];
type Detail = OutputOf<typeof getSchedule>;

/** Schedules in the form of the v4 interface. */
@Injectable()
export class ScheduleViews {
  constructor(
    private readonly users: UserDirectory,
    private readonly pipelines: Pipelines,
    private readonly pipelineViews: PipelineViews,
    private readonly box: SecretBox,
  ) {}

  async list(schedules: PipelineSchedule[]): Promise<Basics[]> {
    const owners = await this.users.summaries(schedules.flatMap(({ ownerId }) => ownerId ?? []));
    return schedules.map((schedule) => basics(schedule, owners));
  }

  /** With variables for callers who may change the schedule. */
  async detail(schedule: PipelineSchedule, project: ProjectRef, caller: Caller | undefined): Promise<Detail> {
    const [views, last] = await Promise.all([
      this.list([schedule]),
      this.pipelines.findLast({ scheduleId: schedule._id }),
    ]);
    return {
      ...only(views),
      last_pipeline: last && this.pipelineViews.summary(last, project),
      ...(caller &&
        mayChange(schedule, project, caller) && {
          variables: schedule.variables.map((variable) => openVariable(this.box, variable)),
        }),
    };
  }
}

function basics(schedule: PipelineSchedule, owners: Map<number, UserSummary>): Basics {
  return {
    id: schedule._id,
    description: schedule.description,
    ref: schedule.ref,
    cron: schedule.cron,
    cron_timezone: schedule.cronTimezone,
    next_run_at: schedule.nextRunAt?.toISOString() ?? null,
    active: schedule.isActive,
    created_at: schedule.createdAt.toISOString(),
    updated_at: schedule.updatedAt.toISOString(),
    owner: owners.get(schedule.ownerId ?? 0) ?? null,
    ...(schedule.deactivationReason && { deactivation_reason: schedule.deactivationReason }),
  };
}
