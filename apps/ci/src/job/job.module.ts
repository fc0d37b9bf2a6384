import { Module } from '@nestjs/common';
import { ArtifactModule } from '../artifact/artifact.module';
import { EnvironmentModule } from '../environment/environment.module';
import { PipelineModule } from '../pipeline/pipeline.module';
import { RunnerModule } from '../runner/runner.module';
import { TraceModule } from '../trace/trace.module';
import { ChangeJob } from './change-job';
import { DescribePipelinesForHooks } from './describe-pipelines-for-hooks';
import { JobViews } from './job.view';
import { JobList } from './job-list';
import { ReadJobs } from './read-jobs';
import { StartDelayedJobs } from './start-delayed-jobs';

/** Jobs as users see and change them. */
@Module({
  imports: [ArtifactModule, EnvironmentModule, PipelineModule, RunnerModule, TraceModule],
  controllers: [ReadJobs, ChangeJob, DescribePipelinesForHooks],
  providers: [JobList, JobViews, StartDelayedJobs],
  exports: [JobList, JobViews],
})
export class JobModule {}
