import { BlockList, isIP, isIPv6 } from 'node:net';
import { isLocalAddress } from './local-address';

/** The application settings for requests into the local network. */
export interface OutboundPolicy {
  allowsLocal: boolean;
  /** Names, addresses and `network/prefix` that are allowed in any case, each perhaps with `:port`. */
  allowed: readonly string[];
}

/** Whether a connection to an address of a host is allowed. */
export function permits(policy: OutboundPolicy, host: string, address: string, port: number): boolean {
  if (policy.allowsLocal || !isLocalAddress(address)) return true;
  return policy.allowed.some((entry) => matches(entry.trim().toLowerCase(), host.toLowerCase(), address, port));
}

function matches(entry: string, host: string, address: string, port: number): boolean {
  // Several colons without brackets are an address and no port.
  const [, bracketed, plain, allowedPort] = /^(?:\[([^\]]+)\]|([^:[]+))(?::(\d+))?$/.exec(entry) ?? [];
  const target = bracketed ?? plain ?? (isIPv6(entry.split('/', 1)[0] ?? '') ? entry : undefined);
  if (!target || (allowedPort !== undefined && Number(allowedPort) !== port)) return false;
  if (target === host || target === address) return true;
  const [network = '', prefix] = target.split('/', 2);
  if (prefix === undefined || !/^\d{1,3}$/.test(prefix) || !isIP(network)) return false;
  return isWithin(network, Number(prefix), address);
}

function isWithin(network: string, prefix: number, address: string): boolean {
  const family = isIPv6(network) ? 'ipv6' : 'ipv4';
  if (prefix > (family === 'ipv6' ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(network, prefix, family);
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
