import { ClearInterrupted, ObjectStorage, openObjectStorage } from '@moothall/object-storage';
import { settingsToken } from '@moothall/service';
import { Module } from '@nestjs/common';
import type { CiSettings } from '../settings/settings';

/** Where artifacts are kept. */
@Module({
  providers: [
    ClearInterrupted,
    {
      provide: ObjectStorage,
      inject: [settingsToken],
      useFactory: (settings: CiSettings) => openObjectStorage('ci', settings),
    },
  ],
  exports: [ObjectStorage],
})
export class FilesModule {}
