import { bytes, durabilitySettings, int, list, type SettingValues, seconds } from '@moothall/config';
import { siteSettings, uploadSettings } from '@moothall/messaging';
import type { ServiceSettings } from '@moothall/service';

/** Settings of the repository service besides the common ones. */
export const repositorySettings = {
  GIT_STORAGES: list({ about: 'Storages of this process, each as `name=folder`; each name belongs to one process' }),
  ...durabilitySettings,
  GIT_MAX_PROCESSES: int({
    default: 16,
    min: 1,
    about: 'Maximum number of git processes for reads and writes at the same time; further requests wait',
  }),
  GIT_MAX_TRANSFERS: int({
    default: 64,
    min: 1,
    about: 'Maximum number of clones, pushes, archives and large files at the same time; further requests wait',
  }),
  GIT_SHARE: int({
    default: 8,
    min: 1,
    about:
      'Maximum number of transfers for one user or deploy key, or one address without a sign-in; half as many reads that start git',
  }),
  REPOSITORY_SIZE_LIMIT: bytes({
    default: 0,
    about: 'Maximum size of a repository; larger pushes are refused; 0 is no limit',
  }),
  MIRROR_INTERVAL: seconds({ default: 60, about: 'Minimum interval between two updates of a push mirror' }),
  STORAGE_MOVE_GRACE: seconds({
    default: 10,
    min: 1,
    about: 'Time before the old copy of a moved repository is deleted, for requests that still read it',
  }),
  MAINTENANCE_PUSHES: int({ default: 50, min: 1, about: 'Pushes after which a repository is repacked' }),
  ARCHIVE_CACHE: bytes({
    default: 1024 ** 3,
    about: 'Disk space to cache archives, for each storage; 0 caches none',
  }),
  IMPORT_TIMEOUT: seconds({ default: 3600, about: 'Maximum time to import a repository from an address' }),
  ...uploadSettings,
  ...siteSettings,
  REPLICA_TIMEOUT: seconds({
    default: 3600,
    min: 1,
    about: 'On a secondary: maximum time of one git command that copies or verifies a repository',
  }),
  REPLICA_SIZE_LIMIT: bytes({
    default: 0,
    about: 'On a secondary: maximum size of a copied repository; 0 is no limit',
  }),
};

export type RepositorySettings = ServiceSettings & SettingValues<typeof repositorySettings>;
