import { Module } from '@nestjs/common';
import { DashboardModule } from '../dashboard/dashboard.module';
import { ExportModule } from '../export/export.module';
import { ReportModule } from '../report/report.module';
import { VulnerabilityModule } from '../vulnerability/vulnerability.module';
import { FollowDeletions } from './follow-deletions';

/** Consumes deletions of projects and users. */
@Module({ imports: [DashboardModule, ExportModule, ReportModule, VulnerabilityModule], providers: [FollowDeletions] })
export class FollowModule {}
