import { Module } from '@nestjs/common';
import { PipelineModule } from '../pipeline/pipeline.module';
import { RunnerModule } from '../runner/runner.module';
import { ScheduleModule } from '../schedule/schedule.module';
import { TraceModule } from '../trace/trace.module';
import { FollowOwners } from './follow-owners';
import { QueueDueSchedules } from './queue-due-schedules';
import { RunSchedule } from './run-schedule';
import { ScheduleOwner } from './schedule-owner';

/** Runs schedules when they are due, and follows what becomes of their owners. */
@Module({
  imports: [PipelineModule, RunnerModule, ScheduleModule, TraceModule],
  providers: [FollowOwners, QueueDueSchedules, RunSchedule, ScheduleOwner],
})
export class TriggerModule {}
