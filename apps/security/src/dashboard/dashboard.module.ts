import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Dashboards } from './dashboard.repository';
import { dashboardSchema } from './dashboard.schema';

/** Which projects are on whose security dashboard. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'Dashboard', schema: dashboardSchema }])],
  providers: [Dashboards],
  exports: [Dashboards],
})
export class DashboardModule {}
