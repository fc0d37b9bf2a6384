import { BlockList, isIPv6 } from 'node:net';

/** Addresses that are not of the public internet, with why they exist. */
const ranges: Record<'ipv4' | 'ipv6', string[]> = {
  ipv4: [
    '0.0.0.0/8', // this host
    '10.0.0.0/8', // private
    '100.64.0.0/10', // shared by providers
    '127.0.0.0/8', // loopback
    '169.254.0.0/16', // link-local, where clouds keep their metadata
    '172.16.0.0/12', // private
    '192.0.0.0/24', // protocol assignments
    '192.0.2.0/24', // documentation
    '192.88.99.0/24', // relays of 6to4
    '192.168.0.0/16', // private
    '198.18.0.0/15', // benchmarks
    '198.51.100.0/24', // documentation
    '203.0.113.0/24', // documentation
    '224.0.0.0/4', // multicast
    '240.0.0.0/4', // reserved, broadcast
  ],
  ipv6: [
    '::/128', // unspecified
    '::1/128', // loopback
    '64:ff9b::/96', // stands for IPv4 behind NAT64
    '64:ff9b:1::/48',
    '100::/64', // discard
    '2001::/23', // protocol assignments, Teredo
    '2001:db8::/32', // documentation
    '2002::/16', // holds IPv4 addresses
    'fc00::/7', // private
    'fe80::/10', // link-local
    'fec0::/10', // site-local
    'ff00::/8', // multicast
  ],
};

const local = new BlockList();
for (const family of ['ipv4', 'ipv6'] as const) {
  for (const range of ranges[family]) {
    const [network, prefix] = range.split('/') as [string, string];
    local.addSubnet(network, Number(prefix), family);
  }
}

/** Whether an IP address leads anywhere but to the public internet. IPv4 written as IPv6 counts as what it is. */
export function isLocalAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, '');
  return local.check(bare, isIPv6(bare) ? 'ipv6' : 'ipv4');
}
