import type { LookupAddress, lookup } from 'node:dns';

/** Prevents a second lookup of the name between the check and the connection. An IP address is used unchanged. */
export const pinnedTo = (addresses: LookupAddress[]): typeof lookup =>
  ((_host: string, { all }: { all?: boolean }, found: (error: null, ...result: unknown[]) => void) => {
    if (all) found(null, addresses);
    else found(null, addresses[0]?.address, addresses[0]?.family);
  }) as typeof lookup;
