import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Dashboards } from './dashboard.repository';
import { dashboardSchema } from './dashboard.schema';

/** Projects on security dashboards. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'Dashboard', schema: dashboardSchema }])],
  providers: [Dashboards],
  exports: [Dashboards],
})
export class DashboardModule {}
