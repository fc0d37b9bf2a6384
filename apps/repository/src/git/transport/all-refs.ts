/**
 * What a secondary says beside the version of the protocol, as clients of git may: it copies refs that are hidden from others,
 * too. Those who copy are administrators; of anybody else it is not heard. See docs/api/geo-replication.md#2.
 */
export const allRefsParameter = 'all-refs=1';

/** @param protocol value of a `Git-Protocol` header */
export const asksForAllRefs = (protocol = ''): boolean => protocol.split(':').includes(allRefsParameter);
