/** A host in the form of URLs: IPv6 in brackets (RFC 3986 3.2.2). */
export const hostInAddress = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** The address at which this machine reaches its own server on an interface. */
export function localAddress(host: string, port: number): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${hostInAddress(host)}:${port}`;
}
