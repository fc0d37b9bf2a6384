import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AccessModule } from '../access/access.module';
import { ArchiveModule } from '../archive/archive.module';
import { BadgeModule } from '../badge/badge.module';
import { FilesModule } from '../files/files.module';
import { ImageModule } from '../image/image.module';
import { InstanceModule } from '../instance/instance.module';
import { MailModule } from '../mail/mail.module';
import { NamespaceModule } from '../namespace/namespace.module';
import { ProjectModule } from '../project/project.module';
import { UploadModule } from '../upload/operations/upload.module';
import { BuildProjectExport } from './export/build-project-export';
import { ExportProject } from './export/export-project';
import { projectExportSchema } from './export/project-export.schema';
import { ProjectExports } from './export/project-exports';
import { WriteProjectParts } from './export/write-project-parts';
import { ProjectArchiveChecks } from './format/archive-checks';
import { FillProject } from './import/fill-project';
import { ImportProject } from './import/import-project';
import { projectImportSchema } from './import/project-import.schema';
import { ProjectImports } from './import/project-imports';
import { RunProjectImport } from './import/run-project-import';

/** Export and import of projects. */
@Module({
  imports: [
    AccessModule,
    ArchiveModule,
    BadgeModule,
    FilesModule,
    ImageModule,
    InstanceModule,
    MailModule,
    NamespaceModule,
    ProjectModule,
    UploadModule,
    MongooseModule.forFeature([
      { name: 'ProjectExport', schema: projectExportSchema },
      { name: 'ProjectImport', schema: projectImportSchema },
    ]),
  ],
  controllers: [ExportProject, ImportProject],
  providers: [
    BuildProjectExport,
    FillProject,
    ProjectArchiveChecks,
    ProjectExports,
    ProjectImports,
    RunProjectImport,
    WriteProjectParts,
  ],
  exports: [ProjectExports, ProjectImports],
})
export class ProjectArchiveModule {}
