import { int, type SettingValues } from '@moothall/config';
import { objectStorageSettings } from '@moothall/object-storage';
import type { ServiceSettings } from '@moothall/service';

/** Settings of the security service besides the common ones. */
export const securitySettings = {
  ...objectStorageSettings,
  EXPORT_PART_ROWS: int({
    default: 250_000,
    min: 1,
    about:
      'Rows of a vulnerability export that are written at once. If a process dies, at most so many are written again',
  }),
};

export type SecuritySettings = ServiceSettings & SettingValues<typeof securitySettings>;
