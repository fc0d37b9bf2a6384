import { int, type SettingValues } from '@moothall/config';
import { objectStorageSettings } from '@moothall/object-storage';
import type { ServiceSettings } from '@moothall/service';

/** What the security service reads from the environment besides the settings of every service. */
export const securitySettings = {
  ...objectStorageSettings,
  EXPORT_PART_ROWS: int({
    default: 250_000,
    min: 1,
    about: 'Vulnerabilities of an export that are written again at most when a process was lost',
  }),
};

export type SecuritySettings = ServiceSettings & SettingValues<typeof securitySettings>;
