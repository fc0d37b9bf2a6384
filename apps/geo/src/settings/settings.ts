import { type SettingValues, seconds, secret, string } from '@moothall/config';
import { servesCopies, siteSettings } from '@moothall/messaging';
import type { ServiceSettings } from '@moothall/service';

/** What the geo service reads from the environment besides the settings of every service. */
export const geoSettings = {
  ...siteSettings,
  GEO_APPLICATION_ID: string({
    optional: true,
    about: 'On a secondary: id of the OAuth application of its node, by which it signs in to the primary',
  }),
  GEO_APPLICATION_SECRET: secret({ optional: true, about: 'On a secondary: secret of that application' }),
  GEO_PRIMARY_TOKEN: secret({
    optional: true,
    about: 'On a secondary without these two: token of an administrator of the primary',
  }),
  GEO_NODE_NAME: string({
    optional: true,
    about: 'Name of the replication node that this site is; unset, it is the one with the address `EXTERNAL_URL`',
  }),
  GEO_LOOK_INTERVAL: seconds({
    default: 1,
    min: 0.02,
    allowsMs: true,
    about: 'On a secondary: how often it asks the primary what happened, and looks what there is to copy and to verify',
  }),
  GEO_RETRY_FIRST: seconds({
    default: 10,
    min: 0.02,
    allowsMs: true,
    about: 'On a secondary: after how long a copy that failed is tried again, and after twice as long each time',
  }),
  GEO_RETRY_LONGEST: seconds({
    default: 3600,
    min: 0.02,
    allowsMs: true,
    about: 'On a secondary: the longest of these times',
  }),
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
  GEO_FILES_INTERVAL: seconds({
    default: 600,
    min: 0.02,
    allowsMs: true,
    about: 'On a secondary: how often it walks through the lists of all files of the primary',
  }),
  GEO_NEW_FILES_INTERVAL: seconds({
    default: 5,
    min: 0.02,
    allowsMs: true,
    about: 'On a secondary: how often it looks for new files of the primary in between',
  }),
  GEO_IMAGES_INTERVAL: seconds({
    default: 60,
    min: 0.02,
    allowsMs: true,
    about: 'On a secondary: how often it looks which container images of the primary changed',
  }),
  GEO_ANSWERS_KEPT: seconds({
    default: 5,
    min: 0.02,
    allowsMs: true,
    about: 'On a secondary: how long it knows who a caller is and what they may see before it asks the primary again',
  }),
  GEO_ANSWERS_KEPT_AWAY: seconds({
    default: 60,
    allowsMs: true,
    about: 'On a secondary: how long what the primary said of that still holds while the primary does not answer',
  }),
  GEO_STATUS_INTERVAL: seconds({
    default: 60,
    min: 0.02,
    allowsMs: true,
    about: 'On a secondary that knows its OAuth application: how often it tells the primary how it is',
  }),
  GEO_NODES_INTERVAL: seconds({
    default: 10,
    min: 0.02,
    allowsMs: true,
    about: 'On a secondary: how often it looks which replication nodes the primary has, and so what itself is to copy',
  }),
};

export type GeoSettings = ServiceSettings & SettingValues<typeof geoSettings>;

/** By what the primary lets this site in: its own application, or an administrator's token. */
export type PrimaryCredential = { id: string; secret: string } | { token: string };

/** @returns undefined where none was given */
export function primaryCredentialOf(settings: GeoSettings): PrimaryCredential | undefined {
  const { GEO_APPLICATION_ID: id, GEO_APPLICATION_SECRET: secret, GEO_PRIMARY_TOKEN: token } = settings;
  if (id !== undefined && secret !== undefined) return { id, secret };
  return token === undefined ? undefined : { token };
}

/** Whether there is a primary to follow. */
export const followsPrimary = (settings: GeoSettings): boolean =>
  servesCopies(settings) && primaryCredentialOf(settings) !== undefined;
