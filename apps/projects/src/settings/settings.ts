import { bytes, int, type SettingValues, seconds } from '@moothall/config';
import { mailSettings } from '@moothall/mail';
import { objectStorageSettings } from '@moothall/object-storage';
import type { ServiceSettings } from '@moothall/service';

/** What the projects service reads from the environment besides the settings of every service. */
export const projectsSettings = {
  ...mailSettings,
  ...objectStorageSettings,
  PROJECTS_LIMIT: int({
    default: 100_000,
    min: 0,
    about: 'Projects that a new user may own, until an administrator sets `default_projects_limit`',
  }),
  PROJECT_ARCHIVE_MAX_SIZE: bytes({
    default: 20 * 1024 ** 3,
    about: 'What an exported or imported project may unpack to, with its files of Git LFS',
  }),
  PROJECT_IMPORT_CHECK_TIMEOUT: seconds({
    default: 900,
    min: 1,
    about: 'How long it may take to look an imported project through',
  }),
  GROUP_IMPORT_MAX_SIZE: bytes({ default: 5 * 1024 ** 3, about: 'What an imported group may unpack to' }),
  GROUP_IMPORT_CHECK_TIMEOUT: seconds({
    default: 300,
    min: 1,
    about: 'How long it may take to look an imported group through',
  }),
};

export type ProjectsSettings = ServiceSettings & SettingValues<typeof projectsSettings>;
