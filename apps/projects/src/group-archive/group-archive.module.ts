import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AccessModule } from '../access/access.module';
import { ArchiveModule } from '../archive/archive.module';
import { BadgeModule } from '../badge/badge.module';
import { FilesModule } from '../files/files.module';
import { GroupModule } from '../group/group.module';
import { InstanceModule } from '../instance/instance.module';
import { MailModule } from '../mail/mail.module';
import { NamespaceModule } from '../namespace/namespace.module';
import { BuildGroupExport } from './export/build-group-export';
import { ExportGroup } from './export/export-group';
import { groupExportSchema } from './export/group-export.schema';
import { GroupExports } from './export/group-exports';
import { WriteGroupTree } from './export/write-group-tree';
import { GroupArchiveChecks } from './format/archive-checks';
import { FillGroups } from './import/fill-groups';
import { groupImportSchema } from './import/group-import.schema';
import { GroupImports } from './import/group-imports';
import { ImportGroup } from './import/import-group';
import { RunGroupImport } from './import/run-group-import';

/** Export and import of groups. */
@Module({
  imports: [
    AccessModule,
    ArchiveModule,
    BadgeModule,
    FilesModule,
    GroupModule,
    InstanceModule,
    MailModule,
    NamespaceModule,
    MongooseModule.forFeature([
      { name: 'GroupExport', schema: groupExportSchema },
      { name: 'GroupImport', schema: groupImportSchema },
    ]),
  ],
  controllers: [ExportGroup, ImportGroup],
  providers: [
    GroupArchiveChecks,
    BuildGroupExport,
    FillGroups,
    GroupExports,
    GroupImports,
    RunGroupImport,
    WriteGroupTree,
  ],
  exports: [GroupExports],
})
export class GroupArchiveModule {}
