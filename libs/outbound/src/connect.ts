import { lookup } from 'node:dns/promises';
import { connect, type Socket } from 'node:net';
import { type OutboundPolicy, permits } from './policy';

/** A connection that the policy forbids. */
export class OutboundBlocked extends Error {
  override name = 'OutboundBlocked';

  constructor(host: string) {
    super(`Requests to the local network are not allowed: ${host}`);
  }
}

const connectWithinMs = 10_000;

/**
 * The addresses of a host that may be connected to.
 * @throws OutboundBlocked when there is none among those it has; Error when the name cannot be resolved
 */
export async function permittedAddresses(policy: OutboundPolicy, host: string, port: number): Promise<string[]> {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  const found = await lookup(bare, { all: true, verbatim: true });
  const permitted = found.map(({ address }) => address).filter((address) => permits(policy, bare, address, port));
  if (permitted.length === 0) throw new OutboundBlocked(bare);
  return permitted;
}

/** Connects to a host at an address that was checked; the name is not asked for again in between. */
export async function connectOutbound(policy: OutboundPolicy, host: string, port: number): Promise<Socket> {
  const addresses = await permittedAddresses(policy, host, port);
  let failure: unknown;
  for (const address of addresses) {
    try {
      return await open(address, port);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function open(address: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, timeout: connectWithinMs });
    socket.once('timeout', () => socket.destroy(new Error(`no answer from ${address} within ${connectWithinMs} ms`)));
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.off('error', reject);
      resolve(socket);
    });
  });
}
