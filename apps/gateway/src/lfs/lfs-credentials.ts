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

/** That somebody has proved to have a key, and may use it for this until then. */
export interface LfsCredential {
  fingerprint: string;
  projectId: number;
  service: GitTarget['service'];
}

/**
 * What is handed out over SSH, for what follows over HTTP. It says whose key it was, and not what that opens: with each
 * request the owner of the key and their rights are checked again, so that it ends with the key, the user and their membership.
 */
@Injectable()
export class LfsCredentials {
  private readonly keys: readonly string[];

  constructor(@Inject(gatewaySettingsToken) private readonly settings: GatewaySettings) {
    const { TICKET_KEY, TICKET_KEY_ACCEPTED } = settings;
    this.keys = ticketKeys(TICKET_KEY, TICKET_KEY_ACCEPTED).map(keyForThis);
  }

  /** As `git-lfs-authenticate` answers. */
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

  /** @returns undefined where the header is none of these; null where it is not good, or not any more */
  read(authorization: string | undefined): LfsCredential | null | undefined {
    const [said, ticket = ''] = authorization?.split(' ', 2) ?? [];
    if (said?.toLowerCase() !== scheme.toLowerCase()) return undefined;
    const read = readTicket(this.keys, ticket, Date.now());
    return read?.name === ticketName ? (read.args as LfsCredential) : null;
  }
}

/** What opens something inside opens nothing here, and the other way round. */
const keyForThis = (key: string): string => createHmac('sha256', key).update('credentials of git-lfs').digest('hex');
