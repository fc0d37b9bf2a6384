import { createHmac } from 'node:crypto';
import type { ProjectRef } from '@moothall/contracts';
import { mintTicket, readTicket, ticketKeys } from '@moothall/data-port';
import { Inject, Injectable } from '@nestjs/common';
import type { GitTarget } from '../git-access/git-access';
import type { KeyOwner } from '../git-access/key-owners';
import { type GatewaySettings, gatewaySettingsToken } from '../settings/settings';

/** Clients request a new one before it expires, and for each command. */
const lifetimeSeconds = 1800;
const scheme = 'RemoteAuth';
const ticketName = 'lfs';

/** Proof that a client has a key, for one service until its expiry. */
export interface LfsCredential {
  fingerprint: string;
  projectId: number;
  service: GitTarget['service'];
}

/**
 * Credentials issued over SSH for requests over HTTP. They contain the key, but no rights: each request checks the
 * owner of the key and their rights again, so they end with the key, the user and the membership.
 */
@Injectable()
export class LfsCredentials {
  private readonly keys: readonly string[];

  constructor(@Inject(gatewaySettingsToken) private readonly settings: GatewaySettings) {
    const { TICKET_KEY, TICKET_KEY_ACCEPTED } = settings;
    this.keys = ticketKeys(TICKET_KEY, TICKET_KEY_ACCEPTED).map(keyForThis);
  }

  /** In the format of `git-lfs-authenticate`. */
  handOut({ service }: GitTarget, { id: projectId, fullPath }: ProjectRef, { fingerprint }: KeyOwner): object {
    const credential: LfsCredential = { fingerprint, projectId, service };
    const expiresAt = Date.now() + lifetimeSeconds * 1000;
    const ticket = mintTicket(this.keys[0] ?? '', { name: ticketName, args: credential }, expiresAt);
    return {
      href: `${this.settings.EXTERNAL_URL.replace(/\/$/, '')}/${fullPath}.git/info/lfs`,
      header: { Authorization: `${scheme} ${ticket}` },
      expires_in: lifetimeSeconds,
    };
  }

  /** @returns undefined for another kind of header; null if it is invalid or has expired */
  read(authorization: string | undefined): LfsCredential | null | undefined {
    const [said, ticket = ''] = authorization?.split(' ', 2) ?? [];
    if (said?.toLowerCase() !== scheme.toLowerCase()) return undefined;
    const read = readTicket(this.keys, ticket, Date.now());
    return read?.name === ticketName ? (read.args as LfsCredential) : null;
  }
}

/** Separates these from signed URLs of internal data ports. */
const keyForThis = (key: string): string => createHmac('sha256', key).update('credentials of git-lfs').digest('hex');
