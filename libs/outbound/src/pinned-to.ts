import type { LookupAddress, lookup } from 'node:dns';

/** The name is not asked for again between the check and the connection. An address itself is connected to as it is. */
export const pinnedTo = (addresses: LookupAddress[]): typeof lookup =>
  ((_host: string, { all }: { all?: boolean }, found: (error: null, ...result: unknown[]) => void) => {
    if (all) found(null, addresses);
    else found(null, addresses[0]?.address, addresses[0]?.family);
  }) as typeof lookup;
