/**
 * A parameter that a secondary sends beside the protocol version, as git clients may: it also gets hidden refs.
 * Replication authenticates as an administrator; for other callers the parameter is ignored. See
 * docs/api/geo-replication.md#2.
 */
export const allRefsParameter = 'all-refs=1';

/** @param protocol value of a `Git-Protocol` header */
export const asksForAllRefs = (protocol = ''): boolean => protocol.split(':').includes(allRefsParameter);
