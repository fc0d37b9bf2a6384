import { bytes, int, oneOf, seconds, secret, string, url } from '@moothall/config';
import type { NatsSecurity } from './connection';

/** How NATS is reached; for every process. */
export const natsSettings = {
  NATS_URL: url({ about: 'NATS server or cluster: several URLs are separated by commas, each with its own password' }),
  NATS_CREDS: string({ optional: true, about: 'Credentials file for NATS, instead of passwords in its URL' }),
  NATS_CA: string({ optional: true, about: 'Certificate of the authority that signed those of NATS, for tls://' }),
};

/** @see connectNats */
export const securityOf = (settings: {
  NATS_CREDS?: string | undefined;
  NATS_CA?: string | undefined;
}): NatsSecurity => ({
  credentialsFile: settings.NATS_CREDS,
  caFile: settings.NATS_CA,
});

const day = 24 * 60 * 60;

/** How events are kept; for every service. What is not set stays as it is found. */
export const eventSettings = {
  EVENT_REPLICAS: int({ optional: true, min: 1, max: 5, about: 'Servers of the NATS cluster that keep each event' }),
  EVENT_STORAGE: oneOf(['file', 'memory'], {
    optional: true,
    about: 'Where NATS keeps events, `file` unless set; cannot be changed later',
  }),
  EVENT_MAX_AGE: seconds({
    optional: true,
    min: 60 * 60,
    about: `How long NATS keeps events, ${7 * day} unless set: services may be away as long`,
  }),
  EVENT_DUPLICATE_WINDOW: seconds({
    optional: true,
    min: 1,
    about: 'How long NATS knows repeats of events by their ids, 120 unless set',
  }),
  EVENT_ATTEMPTS: int({
    default: 20,
    min: 1,
    about:
      'An event that its handler has failed at so often is set aside as a dead letter; where others wait behind it, after five times at most',
  }),
};

/** Of every process: what is too large for a message is fetched from an address that another signs. */
export const ticketSettings = {
  TICKET_KEY: secret({ minLength: 32, about: 'Signs the short-lived addresses of the internal data ports' }),
  TICKET_KEY_ACCEPTED: secret({
    minLength: 32,
    optional: true,
    about: 'While `TICKET_KEY` is changed: the other one, with which addresses are still, or already, signed',
  }),
};

/** Which of the sites that copy each other this one is, for services that do otherwise on a secondary. */
export const siteSettings = {
  GEO_ROLE: oneOf(['primary', 'secondary'], {
    default: 'primary',
    about: 'What this site is among replication nodes: on a secondary nobody changes or removes them',
  }),
  GEO_PRIMARY_URL: url({
    protocols: ['http', 'https'],
    optional: true,
    about: 'On a secondary, the address of the primary, which its users are told; it may be a private one',
  }),
};

/** Of the gateway, and of who fetches files for a client that would else send them. */
export const uploadSettings = {
  MAX_UPLOAD: bytes({ default: 1024 * 1024 * 1024, about: 'Largest uploaded file' }),
};

/** Whether this site serves what it copies: who callers are, and what they may see, its primary knows. */
export const servesCopies = (settings: {
  GEO_ROLE: 'primary' | 'secondary';
  GEO_PRIMARY_URL?: string | undefined;
}): boolean => settings.GEO_ROLE === 'secondary' && settings.GEO_PRIMARY_URL !== undefined;
