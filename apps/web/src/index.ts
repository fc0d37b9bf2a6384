import { rateLimitSettings } from '@moothall/access';
import type { ServiceDefinition } from '@moothall/service';
import { webSettings } from './settings/settings';
import { WebModule } from './web.module';

export { webSettings } from './settings/settings';

/** Pages for browsers, from the answers of the other services. */
export const service: ServiceDefinition = {
  name: 'web',
  module: WebModule,
  settings: { ...webSettings, ...rateLimitSettings },
  isStateless: true,
};
