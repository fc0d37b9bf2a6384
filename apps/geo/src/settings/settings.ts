import { type SettingValues, secret, string } from '@moothall/config';
import { type ServiceSettings, siteSettings } from '@moothall/service';

/** What the geo service reads from the environment besides the settings of every service. */
export const geoSettings = {
  ...siteSettings,
  GEO_PRIMARY_TOKEN: secret({
    optional: true,
    about:
      'On a secondary: token of an administrator of the primary, by which events are read and repositories fetched',
  }),
  GEO_NODE_NAME: string({
    optional: true,
    about: 'Name of the replication node that this site is; unset, it is the one with the address `EXTERNAL_URL`',
  }),
};

export type GeoSettings = ServiceSettings & SettingValues<typeof geoSettings>;
