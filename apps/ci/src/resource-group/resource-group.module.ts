import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ResourceGroups } from './resource-group.repository';
import { resourceGroupSchema } from './resource-group.schema';

/** Resources of jobs, each for one job at a time. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'ResourceGroup', schema: resourceGroupSchema }])],
  providers: [ResourceGroups],
  exports: [ResourceGroups],
})
export class ResourceGroupModule {}
