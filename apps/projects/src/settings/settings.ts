import { bytes, int, type SettingValues, seconds } from '@moothall/config';
import { mailSettings } from '@moothall/mail';
import { objectStorageSettings } from '@moothall/object-storage';
import type { ServiceSettings } from '@moothall/service';

/** Settings of the projects service besides the common ones. */
export const projectsSettings = {
  ...mailSettings,
  ...objectStorageSettings,
  PROJECTS_LIMIT: int({
    default: 100_000,
    min: 0,
    about: 'Projects that a new user may own, unless an administrator has set `default_projects_limit`',
  }),
  PROJECT_ARCHIVE_MAX_SIZE: bytes({
    default: 20 * 1024 ** 3,
    about: 'Maximum unpacked size of an exported or imported project, with its Git LFS objects',
  }),
  PROJECT_IMPORT_CHECK_TIMEOUT: seconds({
    default: 900,
    min: 1,
    about: 'Maximum time to validate an imported project',
  }),
  GROUP_IMPORT_MAX_SIZE: bytes({ default: 5 * 1024 ** 3, about: 'Maximum unpacked size of an imported group' }),
  GROUP_IMPORT_CHECK_TIMEOUT: seconds({
    default: 300,
    min: 1,
    about: 'Maximum time to validate an imported group',
  }),
};

export type ProjectsSettings = ServiceSettings & SettingValues<typeof projectsSettings>;
