import { UsersModule } from '@moothall/users';
import { Module } from '@nestjs/common';
import { ArtifactOperationsModule } from './artifact/operations/artifact-operations.module';
import { CopiedArtifactsModule } from './artifact/operations/copied-artifacts.module';
import { BridgeModule } from './bridge/bridge.module';
import { CommitStatusModule } from './commit-status/commit-status.module';
import { EnvironmentOperationsModule } from './environment/operations/environment-operations.module';
import { FeatureFlagModule } from './feature-flag/feature-flag.module';
import { FreezePeriodOperationsModule } from './freeze-period/operations/freeze-period-operations.module';
import { JobModule } from './job/job.module';
import { PipelineModule } from './pipeline/pipeline.module';
import { ResourceGroupOperationsModule } from './resource-group/operations/resource-group-operations.module';
import { RunnerOperationsModule } from './runner/operations/runner-operations.module';
import { RunnerJobModule } from './runner-job/runner-job.module';
import { ScheduleModule } from './schedule/schedule.module';
import { TriggerModule } from './trigger/trigger.module';
import { TriggerTokenModule } from './trigger-token/trigger-token.module';
import { VariableModule } from './variable/variable.module';

/** Pipeline schedules, pipelines, their jobs, and the runners that do them. */
@Module({
  imports: [
    UsersModule,
    ArtifactOperationsModule,
    BridgeModule,
    CommitStatusModule,
    CopiedArtifactsModule,
    EnvironmentOperationsModule,
    FeatureFlagModule,
    FreezePeriodOperationsModule,
    JobModule,
    PipelineModule,
    ResourceGroupOperationsModule,
    RunnerJobModule,
    RunnerOperationsModule,
    ScheduleModule,
    TriggerModule,
    TriggerTokenModule,
    VariableModule,
  ],
})
export class CiModule {}
