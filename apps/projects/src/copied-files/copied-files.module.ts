import { projectFiles } from '@moothall/contracts';
import { copiedFilesOf, FileSources } from '@moothall/files';
import { Module } from '@nestjs/common';
import { FilesModule } from '../files/files.module';
import { NamespaceModule } from '../namespace/namespace.module';
import { ProjectModule } from '../project/project.module';
import { UploadModule } from '../upload/operations/upload.module';
import { AvatarsToCopy } from './avatars-to-copy';
import { UploadsToCopy } from './uploads-to-copy';

/** Files that a secondary copies. */
@Module({
  imports: [FilesModule, NamespaceModule, ProjectModule, UploadModule],
  controllers: [copiedFilesOf(projectFiles)],
  providers: [
    AvatarsToCopy,
    UploadsToCopy,
    {
      provide: FileSources,
      inject: [UploadsToCopy, AvatarsToCopy],
      useFactory: (uploads: UploadsToCopy, avatars: AvatarsToCopy) => new FileSources({ uploads, avatars }),
    },
  ],
})
export class CopiedFilesModule {}
