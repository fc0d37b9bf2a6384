import type { ServiceDefinition } from '@moothall/service';
import { IntegrationsServiceModule } from './integrations-service.module';
import { integrationsSettings } from './settings/settings';

export { integrationsSettings } from './settings/settings';

/** Delivers events to other systems and users: hooks, integrations, to-dos and the activity feed. */
export const service: ServiceDefinition = {
  name: 'integrations',
  module: IntegrationsServiceModule,
  settings: integrationsSettings,
};
