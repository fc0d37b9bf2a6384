import { deliveryFiles } from '@moothall/contracts';
import { copiedFilesOf, FileSources } from '@moothall/files';
import { Module } from '@nestjs/common';
import { FilesModule } from '../files/files.module';
import { LfsFiles } from '../lfs-object/lfs-files';
import { LfsObjectModule } from '../lfs-object/lfs-object.module';
import { PackageModule } from '../package/package.module';
import { PackageFilesToCopy } from '../package/package-files-to-copy';
import { CountRecords } from './count-records';

/** Files that a secondary copies. */
@Module({
  imports: [FilesModule, LfsObjectModule, PackageModule],
  controllers: [CountRecords, copiedFilesOf(deliveryFiles)],
  providers: [
    {
      provide: FileSources,
      inject: [LfsFiles, PackageFilesToCopy],
      useFactory: (lfs_objects: LfsFiles, package_files: PackageFilesToCopy) =>
        new FileSources({ lfs_objects, package_files }),
    },
  ],
})
export class CopiedFilesModule {}
