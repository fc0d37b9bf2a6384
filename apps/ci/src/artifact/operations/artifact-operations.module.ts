import { Module } from '@nestjs/common';
import { JobModule } from '../../job/job.module';
import { PipelineModule } from '../../pipeline/pipeline.module';
import { RunnerModule } from '../../runner/runner.module';
import { ArtifactModule } from '../artifact.module';
import { ChangeArtifacts } from './change-artifacts';
import { HandOverReports } from './hand-over-reports';
import { ReadArtifacts } from './read-artifacts';
import { TestReports } from './test-reports';

/** Artifacts as users read and remove them. */
@Module({
  imports: [ArtifactModule, JobModule, PipelineModule, RunnerModule],
  controllers: [ReadArtifacts, ChangeArtifacts, TestReports],
  providers: [HandOverReports],
})
export class ArtifactOperationsModule {}
