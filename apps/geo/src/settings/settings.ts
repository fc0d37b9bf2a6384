import { oneOf, type SettingValues, string } from '@moothall/config';
import type { ServiceSettings } from '@moothall/service';

/** What the geo service reads from the environment besides the settings of every service. */
export const geoSettings = {
  GEO_ROLE: oneOf(['primary', 'secondary'], {
    default: 'primary',
    about: 'What this site is among replication nodes: on a secondary nobody changes or removes them',
  }),
  GEO_NODE_NAME: string({
    optional: true,
    about: 'Name of the replication node that this site is; unset, it is the one with the address `EXTERNAL_URL`',
  }),
};

export type GeoSettings = ServiceSettings & SettingValues<typeof geoSettings>;
