import type { ServiceDefinition } from '@moothall/service';
import { IdentityModule } from './identity.module';
import { identitySettings } from './settings/settings';

/** Users, credentials, keys and the OAuth provider. */
export const service: ServiceDefinition = { name: 'identity', module: IdentityModule, settings: identitySettings };
export { identitySettings } from './settings/settings';
