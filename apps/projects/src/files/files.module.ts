import { ClearInterrupted, ObjectStorage, openObjectStorage } from '@moothall/object-storage';
import { settingsToken } from '@moothall/service';
import { Module } from '@nestjs/common';
import type { ProjectsSettings } from '../settings/settings';
import { SharedFiles } from './shared-files';

/** Where files are kept. */
@Module({
  providers: [
    ClearInterrupted,
    SharedFiles,
    {
      provide: ObjectStorage,
      inject: [settingsToken],
      useFactory: (settings: ProjectsSettings) => openObjectStorage('projects', settings),
    },
  ],
  exports: [ObjectStorage],
})
export class FilesModule {}
