/**
 * What a secondary says beside the version of the protocol, as clients of git may: it copies refs that are hidden from others,
 * too. Replication asks as an administrator; from other callers the parameter is ignored. See docs/api/geo-replication.md#2.
 */
export const allRefsParameter = 'all-refs=1';

/** @param protocol value of a `Git-Protocol` header */
export const asksForAllRefs = (protocol = ''): boolean => protocol.split(':').includes(allRefsParameter);
