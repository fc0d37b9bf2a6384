import { Module } from '@nestjs/common';
import { JobModule } from '../../job/job.module';
import { PipelineModule } from '../../pipeline/pipeline.module';
import { ResourceGroupModule } from '../resource-group.module';
import { HandOnResource } from './hand-on-resource';
import { ResourceGroupOperations } from './resource-group.operations';
import { UpcomingJobs } from './upcoming-jobs';

/** Resource groups as users see them, and who gets what they stand for. */
@Module({
  imports: [JobModule, PipelineModule, ResourceGroupModule],
  controllers: [ResourceGroupOperations],
  providers: [HandOnResource, UpcomingJobs],
})
export class ResourceGroupOperationsModule {}
