import ipaddr from 'ipaddr.js';

/** All public IPv6 addresses; others stand for IPv4, are local, or unassigned. */
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an IP address is not on the public internet. IPv4 mapped into IPv6 counts as IPv4. */
export function isLocalAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return true;
  const plain = ipaddr.process(address);
  if (plain.range() !== 'unicast') return true;
  return plain instanceof ipaddr.IPv6 && !plain.match(publicIpv6);
}
