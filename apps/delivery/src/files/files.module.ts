import { ClearInterrupted, ObjectStorage, openObjectStorage } from '@moothall/object-storage';
import { settingsToken } from '@moothall/service';
import { Module } from '@nestjs/common';
import type { DeliverySettings } from '../settings/settings';

/** Where files of packages are kept. */
@Module({
  providers: [
    ClearInterrupted,
    {
      provide: ObjectStorage,
      inject: [settingsToken],
      useFactory: (settings: DeliverySettings) => openObjectStorage('delivery', settings),
    },
  ],
  exports: [ObjectStorage],
})
export class FilesModule {}
