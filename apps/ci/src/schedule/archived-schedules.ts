import { type ContextOf, exportSchedules, importSchedules, type OutputOf, type ParsedOf } from '@moothall/contracts';
import { Handles, OperationClient, removeIfDeleted } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Schedules } from './schedule.repository';
import type { PipelineSchedule } from './schedule.schema';
import { nextRunOf } from './schedule-rules';

const pageSize = 100;

type Archived = OutputOf<typeof exportSchedules>['schedules'][number];

/** Pipeline schedules as archives of projects have them. See docs/api/projects.md#9. */
@Controller()
export class ArchivedSchedules {
  constructor(
    private readonly schedules: Schedules,
    private readonly client: OperationClient,
  ) {}

  @Handles(exportSchedules)
  async export({ project }: ContextOf<typeof exportSchedules>, { after_id }: ParsedOf<typeof exportSchedules>) {
    const found = await this.schedules.ofProject(project.id, after_id, pageSize);
    const last = found.at(-1);
    return { schedules: found.map(archived), next_after_id: last && found.length === pageSize ? last._id : null };
  }

  @Handles(importSchedules)
  async import({ project }: ContextOf<typeof importSchedules>, input: ParsedOf<typeof importSchedules>) {
    let created = 0;
    for (const schedule of input.schedules) created += Number(await this.take(project.id, schedule, input.owner_id));
    await removeIfDeleted(this.client, project.id, () => this.schedules.removeOfProject(project.id));
    return { created };
  }

  /** Inactive: an import must not run anything. @throws common.invalid_record */
  private take(projectId: number, { id, ...schedule }: Archived, ownerId: number): Promise<boolean> {
    const described = {
      description: schedule.description,
      cron: schedule.cron,
      cronTimezone: schedule.cron_timezone,
    };
    return this.schedules.addImported({
      ...described,
      projectId,
      ref: schedule.ref,
      isActive: false,
      ownerId,
      nextRunAt: nextRunOf(described, new Date()),
      importedAs: id,
      createdAt: new Date(schedule.created_at),
      updatedAt: new Date(schedule.updated_at),
    });
  }
}

const archived = (schedule: PipelineSchedule): Archived => ({
  id: schedule._id,
  description: schedule.description,
  ref: schedule.ref,
  cron: schedule.cron,
  cron_timezone: schedule.cronTimezone,
  created_at: schedule.createdAt.toISOString(),
  updated_at: schedule.updatedAt.toISOString(),
});
