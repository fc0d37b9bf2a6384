import { rateLimitSettings } from '@moothall/access';
import { ciSettings } from '@moothall/ci';
import type { Settings } from '@moothall/config';
import { deliverySettings } from '@moothall/delivery';
import { gatewaySettings } from '@moothall/gateway';
import { geoSettings } from '@moothall/geo';
import { identitySettings } from '@moothall/identity';
import { integrationsSettings } from '@moothall/integrations';
import { projectsSettings } from '@moothall/projects';
import { registrySettings } from '@moothall/registry';
import { repositorySettings } from '@moothall/repository';
import { securitySettings } from '@moothall/security';
import { serviceSettings, statelessSettings } from '@moothall/service';
import { webSettings } from '@moothall/web';

/** The settings that each process reads from its environment. */
export const settingsOfApps: Record<string, Settings> = {
  gateway: { ...gatewaySettings, ...rateLimitSettings },
  collaboration: serviceSettings,
  identity: { ...serviceSettings, ...identitySettings },
  projects: { ...serviceSettings, ...projectsSettings },
  repository: { ...serviceSettings, ...repositorySettings },
  ci: { ...serviceSettings, ...ciSettings },
  registry: { ...serviceSettings, ...registrySettings },
  security: { ...serviceSettings, ...securitySettings },
  delivery: { ...serviceSettings, ...deliverySettings },
  geo: { ...serviceSettings, ...geoSettings },
  integrations: { ...serviceSettings, ...integrationsSettings },
  web: { ...statelessSettings, ...webSettings, ...rateLimitSettings },
};
