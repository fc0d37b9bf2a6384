import type { SettingValues } from '@moothall/config';
import { objectStorageSettings } from '@moothall/object-storage';
import type { ServiceSettings } from '@moothall/service';

/** What the security service reads from the environment besides the settings of every service. */
export const securitySettings = objectStorageSettings;

export type SecuritySettings = ServiceSettings & SettingValues<typeof securitySettings>;
