import { Module } from '@nestjs/common';
import { ArtifactModule } from '../artifact/artifact.module';
import { PipelineModule } from '../pipeline/pipeline.module';
import { RunnerModule } from '../runner/runner.module';
import { ScheduleModule } from '../schedule/schedule.module';
import { TraceModule } from '../trace/trace.module';
import { FollowOwners } from './follow-owners';
import { FollowPushes } from './follow-pushes';
import { QueueDueSchedules } from './queue-due-schedules';
import { RunPermissions } from './run-permissions';
import { RunSchedule } from './run-schedule';

/** Runs due schedules and pipelines of pushes, and handles changes of their owners. */
@Module({
  imports: [ArtifactModule, PipelineModule, RunnerModule, ScheduleModule, TraceModule],
  providers: [FollowOwners, FollowPushes, QueueDueSchedules, RunSchedule, RunPermissions],
  exports: [RunPermissions],
})
export class TriggerModule {}
