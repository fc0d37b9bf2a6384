import type { ServiceDefinition } from '@moothall/service';
import { GeoModule } from './geo.module';
import { geoSettings } from './settings/settings';

export { geoSettings } from './settings/settings';

/** Replication nodes and how they are. */
export const service: ServiceDefinition = { name: 'geo', module: GeoModule, settings: geoSettings };
