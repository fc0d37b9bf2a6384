import { Module } from '@nestjs/common';
import { JobModule } from '../job/job.module';
import { PipelineModule } from '../pipeline/pipeline.module';
import { CommitStatusViews } from './commit-status.view';
import { ReadCommitStatuses } from './read-commit-statuses';
import { SetCommitStatus } from './set-commit-status';

/** Statuses of commits, from jobs and external programs. */
@Module({
  imports: [JobModule, PipelineModule],
  controllers: [ReadCommitStatuses, SetCommitStatus],
  providers: [CommitStatusViews],
})
export class CommitStatusModule {}
