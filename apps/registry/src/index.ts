import type { ServiceDefinition } from '@moothall/service';
import { RegistryModule } from './registry.module';
import { registrySettings } from './settings/settings';

export { registrySettings } from './settings/settings';

/** Container images: their repositories and tags, and tokens for the registry that stores them. */
export const service: ServiceDefinition = { name: 'registry', module: RegistryModule, settings: registrySettings };
