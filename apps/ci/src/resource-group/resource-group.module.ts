import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ResourceGroups } from './resource-group.repository';
import { resourceGroupSchema } from './resource-group.schema';

/** What jobs share, of which one runs at a time. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'ResourceGroup', schema: resourceGroupSchema }])],
  providers: [ResourceGroups],
  exports: [ResourceGroups],
})
export class ResourceGroupModule {}
