import { bytes, durabilitySettings, int, list, type SettingValues, seconds } from '@moothall/config';
import { siteSettings, uploadSettings } from '@moothall/messaging';
import type { ServiceSettings } from '@moothall/service';

/** What the repository service reads from the environment besides the settings of every service. */
export const repositorySettings = {
  GIT_STORAGES: list({ about: 'Storages of this process, each as `name=folder`; every name belongs to one process' }),
  ...durabilitySettings,
  GIT_MAX_PROCESSES: int({
    default: 16,
    min: 1,
    about: 'git processes of reads and writes at work at the same time; more requests wait',
  }),
  GIT_MAX_TRANSFERS: int({
    default: 64,
    min: 1,
    about: 'Clones, pushes, archives and large files under way at the same time; more requests wait',
  }),
  GIT_SHARE: int({
    default: 8,
    min: 1,
    about:
      'How many transfers one user, deploy key or (without a sign-in) address has under way, and half as many reads that start git',
  }),
  REPOSITORY_SIZE_LIMIT: bytes({
    default: 0,
    about: 'Pushes that would make a repository larger are refused; 0 is no limit',
  }),
  MIRROR_INTERVAL: seconds({ default: 60, about: 'A push mirror is updated at most this often' }),
  STORAGE_MOVE_GRACE: seconds({
    default: 10,
    min: 1,
    about: 'How long the old copy of a moved repository stays for those who still read it',
  }),
  MAINTENANCE_PUSHES: int({ default: 50, min: 1, about: 'Pushes after which a repository is repacked' }),
  ARCHIVE_CACHE: bytes({
    default: 1024 ** 3,
    about: 'Disk for archives that were asked for, for each storage; 0 keeps none',
  }),
  IMPORT_TIMEOUT: seconds({ default: 3600, about: 'How long the import of a repository may take' }),
  ...uploadSettings,
  ...siteSettings,
  REPLICA_TIMEOUT: seconds({
    default: 3600,
    min: 1,
    about: 'On a secondary: how long each git command may take that makes or verifies a copy of a repository',
  }),
  REPLICA_SIZE_LIMIT: bytes({
    default: 0,
    about: 'On a secondary: repositories that come to be larger are not copied; 0 is no limit',
  }),
};

export type RepositorySettings = ServiceSettings & SettingValues<typeof repositorySettings>;
