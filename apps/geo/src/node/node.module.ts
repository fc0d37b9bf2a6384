import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { GeoNodes } from './node.repository';
import { geoNodeSchema } from './node.schema';
import { GeoNodeViews } from './node.view';

/** Storage and views of replication nodes. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'GeoNode', schema: geoNodeSchema }])],
  providers: [GeoNodeViews, GeoNodes],
  exports: [GeoNodeViews, GeoNodes],
})
export class NodeModule {}
