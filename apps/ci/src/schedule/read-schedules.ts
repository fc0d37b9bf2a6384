import {
  type ContextOf,
  getSchedule,
  listSchedulePipelines,
  listSchedules,
  type ParsedOf,
  scheduleErrors,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Pipelines } from '../pipeline/pipeline.repository';
import { PipelineViews } from '../pipeline/pipeline.view';
import { requireReader, requireReaderOr } from '../pipeline/pipeline-rules';
import { Schedules } from './schedule.repository';
import { ScheduleViews } from './schedule.view';

@Controller()
export class ReadSchedules {
  constructor(
    private readonly schedules: Schedules,
    private readonly views: ScheduleViews,
    private readonly pipelines: Pipelines,
    private readonly pipelineViews: PipelineViews,
  ) {}

  @Handles(listSchedules)
  async list({ project, caller }: ContextOf<typeof listSchedules>, input: ParsedOf<typeof listSchedules>) {
    requireReader(project, caller);
    const isActive = input.scope && input.scope === 'active';
    const { items, total } = await this.schedules.page(project.id, isActive, input);
    return { items: await this.views.list(items), total };
  }

  @Handles(getSchedule)
  async get({ project, caller }: ContextOf<typeof getSchedule>, input: ParsedOf<typeof getSchedule>) {
    requireReaderOr(project, scheduleErrors.notFound);
    const schedule = await this.schedules.get(project.id, input.pipeline_schedule_id);
    return this.views.detail(schedule, project, caller);
  }

  @Handles(listSchedulePipelines)
  async listPipelines(
    { project }: ContextOf<typeof listSchedulePipelines>,
    input: ParsedOf<typeof listSchedulePipelines>,
  ) {
    requireReaderOr(project, scheduleErrors.notFound);
    const { _id } = await this.schedules.get(project.id, input.pipeline_schedule_id);
    const { items, total } = await this.pipelines.page({ scheduleId: _id }, { _id: 1 }, input);
    return { items: items.map((pipeline) => this.pipelineViews.summary(pipeline, project)), total };
  }
}
