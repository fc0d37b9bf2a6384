import ipaddr from 'ipaddr.js';

/** All that the internet gives out of IPv6; what lies outside stands for IPv4, is local, or nobody's. */
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an IP address leads anywhere but to the public internet. IPv4 mapped into IPv6 counts as what it is. */
export function isLocalAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return true;
  const plain = ipaddr.process(address);
  if (plain.range() !== 'unicast') return true;
  return plain instanceof ipaddr.IPv6 && !plain.match(publicIpv6);
}
