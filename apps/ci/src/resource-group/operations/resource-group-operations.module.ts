import { Module } from '@nestjs/common';
import { JobModule } from '../../job/job.module';
import { PipelineModule } from '../../pipeline/pipeline.module';
import { ResourceGroupModule } from '../resource-group.module';
import { HandOnResource } from './hand-on-resource';
import { ResourceGroupOperations } from './resource-group.operations';
import { UpcomingJobs } from './upcoming-jobs';

/** Operations of resource groups, and the assignment of resources. */
@Module({
  imports: [JobModule, PipelineModule, ResourceGroupModule],
  controllers: [ResourceGroupOperations],
  providers: [HandOnResource, UpcomingJobs],
})
export class ResourceGroupOperationsModule {}
