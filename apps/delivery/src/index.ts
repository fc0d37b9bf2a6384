import type { ServiceDefinition } from '@moothall/service';
import { DeliveryModule } from './delivery.module';
import { deliverySettings } from './settings/settings';

export { deliverySettings } from './settings/settings';

/** Releases, packages and files of Git LFS. */
export const service: ServiceDefinition = { name: 'delivery', module: DeliveryModule, settings: deliverySettings };
