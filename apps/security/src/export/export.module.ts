import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { DashboardModule } from '../dashboard/dashboard.module';
import { FilesModule } from '../files/files.module';
import { ProjectModule } from '../project/project.module';
import { PartWriter } from './csv/part-writer';
import { ExportOperations } from './export.operations';
import { RunExport } from './run-export';
import { VulnerabilityExports } from './vulnerability-export.repository';
import { vulnerabilityExportSchema } from './vulnerability-export.schema';

/** Exports of vulnerabilities. */
@Module({
  imports: [
    DashboardModule,
    FilesModule,
    ProjectModule,
    MongooseModule.forFeature([{ name: 'VulnerabilityExport', schema: vulnerabilityExportSchema }]),
  ],
  controllers: [ExportOperations],
  providers: [PartWriter, RunExport, VulnerabilityExports],
  exports: [VulnerabilityExports],
})
export class ExportModule {}
