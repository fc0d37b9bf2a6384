import type { ServiceDefinition } from '@moothall/service';
import { IntegrationsServiceModule } from './integrations-service.module';
import { integrationsSettings } from './settings/settings';

export { integrationsSettings } from './settings/settings';

/** What happens here reaches other systems and people: hooks, integrations, todos and the feed of events. */
export const service: ServiceDefinition = {
  name: 'integrations',
  module: IntegrationsServiceModule,
  settings: integrationsSettings,
};
