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
 * The addresses of a host that may be connected to.
 * @param host a name, or an address, with or without brackets
 * @throws OutboundBlocked when there is none among those it has; Error when the name cannot be resolved
 */
export async function permittedAddresses(policy: OutboundPolicy, host: string, port: number): Promise<LookupAddress[]> {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  const found = await lookup(bare, { all: true, verbatim: true });
  const permitted = found.filter(({ address }) => permits(policy, bare, address, port));
  if (permitted.length === 0) throw new OutboundBlocked(bare);
  return permitted;
}
