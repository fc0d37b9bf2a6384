import { Module } from '@nestjs/common';
import { DashboardOperationsModule } from './dashboard/operations/dashboard-operations.module';
import { ExportModule } from './export/export.module';
import { FollowModule } from './follow/follow.module';
import { ReportModule } from './report/report.module';
import { VulnerabilityOperationsModule } from './vulnerability/operations/vulnerability-operations.module';

/** Vulnerabilities from reports of scanners, and exports. */
@Module({
  imports: [DashboardOperationsModule, ExportModule, FollowModule, ReportModule, VulnerabilityOperationsModule],
})
export class SecurityModule {}
