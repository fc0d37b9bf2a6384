import type { ServiceDefinition } from '@moothall/service';
import { GeoModule } from './geo.module';
import { geoSettings } from './settings/settings';

export { geoSettings } from './settings/settings';

/** Replication nodes and their status. */
export const service: ServiceDefinition = { name: 'geo', module: GeoModule, settings: geoSettings };
