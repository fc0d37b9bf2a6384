import { bytes, int, oneOf, seconds, secret, string, url } from '@moothall/config';
import type { NatsSecurity } from './connection';

/** How NATS is reached; for every process. */
export const natsSettings = {
  NATS_URL: url({ about: 'NATS server or cluster: several URLs are separated by commas, each with its own password' }),
  NATS_CREDS: string({ optional: true, about: 'Credentials file for NATS, instead of passwords in its URL' }),
  NATS_CA: string({ optional: true, about: 'PEM file of the certificate authority of NATS, for tls://' }),
};

/** @see connectNats */
export const securityOf = (settings: {
  NATS_CREDS?: string | undefined;
  NATS_CA?: string | undefined;
}): NatsSecurity => ({
  credentialsFile: settings.NATS_CREDS,
  caFile: settings.NATS_CA,
});

/** The storage of events; for every service. Missing options stay unchanged. */
export const eventSettings = {
  EVENT_REPLICAS: int({ optional: true, min: 1, max: 5, about: 'NATS servers that store each event' }),
  EVENT_STORAGE: oneOf(['file', 'memory'], {
    optional: true,
    about: 'Storage of events in NATS; cannot be changed later; `file` unless set',
  }),
  EVENT_MAX_AGE: seconds({
    optional: true,
    min: 60 * 60,
    about: 'Time for which NATS stores events, 604800 unless set. A service that was down longer misses events',
  }),
  EVENT_DUPLICATE_WINDOW: seconds({
    optional: true,
    min: 1,
    about: 'Time in which NATS drops duplicate events, 120 unless set',
  }),
  EVENT_ATTEMPTS: int({
    default: 20,
    min: 1,
    about: 'Attempts to process an event before it becomes a dead letter; at most five if other events wait for it',
  }),
};

/** For every process: bodies that are too large for a message are fetched from a URL that another process signs. */
export const signedUrlSettings = {
  TICKET_KEY: secret({ minLength: 32, about: 'Key that signs URLs of the internal data ports' }),
  TICKET_KEY_ACCEPTED: secret({
    minLength: 32,
    optional: true,
    about: 'While `TICKET_KEY` is rotated: the other key, which is accepted as well',
  }),
};

/** Which of the sites that copy each other this one is, for services that do otherwise on a secondary. */
export const siteSettings = {
  GEO_ROLE: oneOf(['primary', 'secondary'], {
    default: 'primary',
    about: 'Role of this site: on a `secondary` replication nodes cannot be changed',
  }),
  GEO_PRIMARY_URL: url({
    protocols: ['http', 'https'],
    optional: true,
    about: 'On a secondary: address of the primary, which may be a private one; shown to users',
  }),
};

/** For the gateway, and for services that fetch files on behalf of a client. */
export const uploadSettings = {
  MAX_UPLOAD: bytes({ default: 1024 * 1024 * 1024, about: 'Maximum size of an uploaded file' }),
};

/** Whether this site answers from copies: its primary authenticates callers and decides their rights. */
export const servesCopies = (settings: {
  GEO_ROLE: 'primary' | 'secondary';
  GEO_PRIMARY_URL?: string | undefined;
}): boolean => settings.GEO_ROLE === 'secondary' && settings.GEO_PRIMARY_URL !== undefined;
