import { type SettingValues, seconds, secret, string } from '@moothall/config';
import { servesCopies, siteSettings } from '@moothall/messaging';
import type { ServiceSettings } from '@moothall/service';

/** Settings of the geo service besides the common ones. */
export const geoSettings = {
  ...siteSettings,
  GEO_APPLICATION_ID: string({
    optional: true,
    about: 'ID of the OAuth application of this node. The secondary signs in to the primary with it',
  }),
  GEO_APPLICATION_SECRET: secret({ optional: true, about: 'Secret of that application' }),
  GEO_PRIMARY_TOKEN: secret({
    optional: true,
    about: 'Access token of an administrator of the primary, for a secondary without an OAuth application',
  }),
  GEO_NODE_NAME: string({
    optional: true,
    about: 'Name of this replication node; by default the node whose address is `EXTERNAL_URL`',
  }),
  GEO_LOOK_INTERVAL: seconds({
    default: 1,
    min: 0.02,
    allowsMs: true,
    about: 'Interval between two requests for new events of the primary',
  }),
  GEO_RETRY_FIRST: seconds({
    default: 10,
    min: 0.02,
    allowsMs: true,
    about: 'Delay before a failed copy is retried; it doubles with each failure',
  }),
  GEO_RETRY_LONGEST: seconds({
    default: 3600,
    min: 0.02,
    allowsMs: true,
    about: 'Maximum of that delay',
  }),
  GEO_RETRY_MISSING: seconds({
    default: 86_400,
    min: 1,
    about: 'Delay before a retry if the primary has no repository for a project',
  }),
  GEO_SILENCE: seconds({
    default: 3600,
    min: 1,
    about: 'Time after which a requested copy without a result is requested again',
  }),
  GEO_FILES_INTERVAL: seconds({
    default: 600,
    min: 0.02,
    allowsMs: true,
    about: 'Interval between two comparisons of all files with the primary',
  }),
  GEO_NEW_FILES_INTERVAL: seconds({
    default: 5,
    min: 0.02,
    allowsMs: true,
    about: 'Interval between two requests for new files of the primary',
  }),
  GEO_IMAGES_INTERVAL: seconds({
    default: 60,
    min: 0.02,
    allowsMs: true,
    about: 'Interval between two requests for changed container images of the primary',
  }),
  GEO_ANSWERS_KEPT: seconds({
    default: 5,
    min: 0.02,
    allowsMs: true,
    about: 'Time to cache callers and their permissions, as the primary reported them',
  }),
  GEO_ANSWERS_KEPT_AWAY: seconds({
    default: 60,
    allowsMs: true,
    about: 'Time for which that cache stays valid while the primary does not answer',
  }),
  GEO_STATUS_INTERVAL: seconds({
    default: 60,
    min: 0.02,
    allowsMs: true,
    about: 'Interval between two status reports to the primary; needs the OAuth application',
  }),
  GEO_NODES_INTERVAL: seconds({
    default: 10,
    min: 0.02,
    allowsMs: true,
    about: 'Interval between two requests for the replication nodes of the primary, which say what this node copies',
  }),
};

export type GeoSettings = ServiceSettings & SettingValues<typeof geoSettings>;

/** Credentials for the primary: the site's own application, or an administrator's token. */
export type PrimaryCredential = { id: string; secret: string } | { token: string };

/** @returns undefined if none are configured */
export function primaryCredentialOf(settings: GeoSettings): PrimaryCredential | undefined {
  const { GEO_APPLICATION_ID: id, GEO_APPLICATION_SECRET: secret, GEO_PRIMARY_TOKEN: token } = settings;
  if (id !== undefined && secret !== undefined) return { id, secret };
  return token === undefined ? undefined : { token };
}

/** Whether a primary is configured. */
export const followsPrimary = (settings: GeoSettings): boolean =>
  servesCopies(settings) && primaryCredentialOf(settings) !== undefined;
