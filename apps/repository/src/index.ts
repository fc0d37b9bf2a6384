import { SettingsError } from '@moothall/config';
import type { ServiceDefinition } from '@moothall/service';
import { RepositoryModule } from './repository.module';
import { type RepositorySettings, repositorySettings } from './settings/settings';
import { storageFolders } from './storage/storages';

/** Requests to a storage and its jobs need its disk, which one process owns. */
function requireBothRoles(roles: readonly string[]): void {
  if (roles.includes('api') && roles.includes('worker')) return;
  throw new SettingsError([
    `ROLES: the repository service needs both, api and worker, because one process holds a storage; it was given ${roles.join(',')}`,
  ]);
}

/** Git: storage and transport, reads and writes of repositories. */
export const service: ServiceDefinition = {
  name: 'repository',
  module: RepositoryModule,
  settings: repositorySettings,
  storages: (settings) => {
    requireBothRoles(settings.ROLES);
    return [...storageFolders((settings as RepositorySettings).GIT_STORAGES).keys()];
  },
};
export { repositorySettings } from './settings/settings';
