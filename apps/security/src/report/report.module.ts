import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { FilesModule } from '../files/files.module';
import { ProjectModule } from '../project/project.module';
import { ReportReader } from '../report-format/report-reader';
import { VulnerabilityModule } from '../vulnerability/vulnerability.module';
import { IngestReport } from './ingest-report';
import { latestScanSchema } from './latest-scan.schema';
import { LatestScans } from './latest-scans.repository';
import { SecurityReports } from './security-report.repository';
import { securityReportSchema } from './security-report.schema';
import { UploadReport } from './upload-report';

/** Reports of scanners, and their conversion into vulnerabilities. */
@Module({
  imports: [
    FilesModule,
    ProjectModule,
    VulnerabilityModule,
    MongooseModule.forFeature([
      { name: 'LatestScan', schema: latestScanSchema },
      { name: 'SecurityReport', schema: securityReportSchema },
    ]),
  ],
  controllers: [UploadReport],
  providers: [IngestReport, LatestScans, ReportReader, SecurityReports],
  exports: [SecurityReports],
})
export class ReportModule {}
