import { ObjectStorage, type ObjectStorageSettings, openObjectStorage } from '@moothall/object-storage';
import { settingsToken } from '@moothall/service';
import type { ModuleMetadata } from '@nestjs/common';
import { ClearInterrupted } from './clear-interrupted';
import { SharedFiles } from './shared-files';

/** The module with the file storage of a service. @param service whose name is the prefix of each key */
export function filesOf(service: string): ModuleMetadata {
  return {
    providers: [
      ClearInterrupted,
      SharedFiles,
      {
        provide: ObjectStorage,
        inject: [settingsToken],
        useFactory: (settings: ObjectStorageSettings) => openObjectStorage(service, settings),
      },
    ],
    exports: [ObjectStorage, SharedFiles],
  };
}
