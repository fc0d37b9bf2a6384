import type { ServiceDefinition } from '@moothall/service';
import { SecurityModule } from './security.module';
import { securitySettings } from './settings/settings';

export { securitySettings } from './settings/settings';

/** Vulnerabilities from reports of scanners, and exports. */
export const service: ServiceDefinition = { name: 'security', module: SecurityModule, settings: securitySettings };
