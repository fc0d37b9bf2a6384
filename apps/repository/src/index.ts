import type { ServiceDefinition } from '@moothall/service';
import { RepositoryModule } from './repository.module';
import { type RepositorySettings, repositorySettings } from './settings';
import { storageFolders } from './storage/storages';

/** Git: storage and transport, reads and writes of repositories. */
export const service: ServiceDefinition = {
  name: 'repository',
  module: RepositoryModule,
  settings: repositorySettings,
  storages: (settings) => [...storageFolders((settings as RepositorySettings).GIT_STORAGES).keys()],
};
export { repositorySettings } from './settings';
