import { bytes, type SettingValues } from '@moothall/config';
import { mailSettings } from '@moothall/mail';
import { objectStorageSettings } from '@moothall/object-storage';
import type { ServiceSettings } from '@moothall/service';

/** What the projects service reads from the environment besides the settings of every service. */
export const projectsSettings = {
  ...mailSettings,
  ...objectStorageSettings,
  GROUP_IMPORT_MAX_SIZE: bytes({ default: 5 * 1024 ** 3, about: 'What an imported group may unpack to' }),
};

export type ProjectsSettings = ServiceSettings & SettingValues<typeof projectsSettings>;
