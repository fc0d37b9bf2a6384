import { Module } from '@nestjs/common';
import { ProjectModule } from '../../project/project.module';
import { DashboardModule } from '../dashboard.module';
import { DashboardOperations } from './dashboard.operations';

/** Operations on security dashboards. */
@Module({ imports: [DashboardModule, ProjectModule], controllers: [DashboardOperations] })
export class DashboardOperationsModule {}
