import { ClearInterrupted, ObjectStorage, openObjectStorage } from '@moothall/object-storage';
import { settingsToken } from '@moothall/service';
import { Module } from '@nestjs/common';
import type { SecuritySettings } from '../settings/settings';

/** Where reports and exports are kept. */
@Module({
  providers: [
    ClearInterrupted,
    {
      provide: ObjectStorage,
      inject: [settingsToken],
      useFactory: (settings: SecuritySettings) => openObjectStorage('security', settings),
    },
  ],
  exports: [ObjectStorage],
})
export class FilesModule {}
