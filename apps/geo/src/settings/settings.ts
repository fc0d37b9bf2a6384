import { type SettingValues, seconds, secret, string } from '@moothall/config';
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
  GEO_RETRY_FIRST: seconds({
    default: 10,
    min: 1,
    about: 'On a secondary: after how long a copy that failed is tried again, and after twice as long each time',
  }),
  GEO_RETRY_LONGEST: seconds({ default: 3600, min: 1, about: 'On a secondary: the longest of these times' }),
  GEO_RETRY_MISSING: seconds({
    default: 86_400,
    min: 1,
    about: 'On a secondary: after how long a repository is tried again that a project of the primary does not have',
  }),
  GEO_SILENCE: seconds({
    default: 3600,
    min: 1,
    about: 'On a secondary: a copy that was asked for and not heard of for so long is asked for again',
  }),
  GEO_NODES_INTERVAL: seconds({
    default: 10,
    min: 1,
    about: 'On a secondary: how often it looks which replication nodes the primary has, and so what itself is to copy',
  }),
};

export type GeoSettings = ServiceSettings & SettingValues<typeof geoSettings>;

/** Whether there is a primary to follow. */
export const followsPrimary = ({ GEO_ROLE, GEO_PRIMARY_URL, GEO_PRIMARY_TOKEN }: GeoSettings): boolean =>
  GEO_ROLE === 'secondary' && GEO_PRIMARY_URL !== undefined && GEO_PRIMARY_TOKEN !== undefined;
