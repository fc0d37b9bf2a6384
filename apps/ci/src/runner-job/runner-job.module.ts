import { Module } from '@nestjs/common';
import { ArtifactModule } from '../artifact/artifact.module';
import { EnvironmentModule } from '../environment/environment.module';
import { FreezePeriodModule } from '../freeze-period/freeze-period.module';
import { JobModule } from '../job/job.module';
import { PipelineModule } from '../pipeline/pipeline.module';
import { RunnerModule } from '../runner/runner.module';
import { ScheduleModule } from '../schedule/schedule.module';
import { TraceModule } from '../trace/trace.module';
import { VariableModule } from '../variable/variable.module';
import { AppendTrace } from './append-trace';
import { Coverage } from './coverage';
import { CrossPipelineArtifacts } from './cross-pipeline-artifacts';
import { Deployers } from './deployers';
import { GiveUpJobs } from './give-up-jobs';
import { JobArtifacts } from './job-artifacts.operations';
import { JobIdTokens } from './job-id-tokens';
import { JobPayloads } from './job-payload';
import { JobTokens } from './job-tokens.operations';
import { ReportJob } from './report-job';
import { RequestJob } from './request-job';
import { RunningJob } from './running-job';

/** Operations of runners on jobs. */
@Module({
  imports: [
    ArtifactModule,
    EnvironmentModule,
    FreezePeriodModule,
    JobModule,
    PipelineModule,
    RunnerModule,
    ScheduleModule,
    TraceModule,
    VariableModule,
  ],
  controllers: [RequestJob, ReportJob, AppendTrace, JobArtifacts, JobTokens],
  providers: [Coverage, CrossPipelineArtifacts, Deployers, GiveUpJobs, JobIdTokens, JobPayloads, RunningJob],
})
export class RunnerJobModule {}
