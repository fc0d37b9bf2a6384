import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { type OutboundPolicy, permits } from './policy';

/** A connection that the policy forbids. */
export class OutboundBlocked extends Error {
  override name = 'OutboundBlocked';

  constructor(host: string) {
    super(`Requests to the local network are not allowed: ${host}`);
  }
}

/**
 * The permitted addresses of a host.
 * @param host a name, or an address, with or without brackets
 * @throws OutboundBlocked if none is permitted; Error if the name cannot be resolved
 */
export async function permittedAddresses(policy: OutboundPolicy, host: string, port: number): Promise<LookupAddress[]> {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  const found = await lookup(bare, { all: true, verbatim: true });
  const permitted = found.filter(({ address }) => permits(policy, bare, address, port));
  if (permitted.length === 0) throw new OutboundBlocked(bare);
  return permitted;
}

/**
 * Whether the policy allows a URL, as far as it is known in advance, for an early error. A name that does not resolve
 * now may resolve later.
 */
export async function mayReach(policy: OutboundPolicy, url: URL): Promise<boolean> {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  try {
    await permittedAddresses(policy, url.hostname, port);
    return true;
  } catch (error) {
    return !(error instanceof OutboundBlocked);
  }
}
