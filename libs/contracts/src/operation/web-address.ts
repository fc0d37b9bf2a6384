/** A scheme, a host, and nothing that a parser would drop or change: blanks, control characters, backslashes. */
const written = /^([a-z][a-z0-9+.-]*):\/\/[^/?#\s\\][^\s\\\p{Cc}]*$/iu;

/**
 * Parses a URL strictly. The WHATWG parser repairs `http:///host`, `http:host` and `http:\\host`; here they are
 * invalid.
 * @returns undefined if it is no URL with one of these schemes
 */
export function readWebAddress(text: string, schemes: readonly string[] = ['http', 'https']): URL | undefined {
  const [, scheme = ''] = written.exec(text) ?? [];
  return schemes.includes(scheme.toLowerCase()) && URL.canParse(text) ? new URL(text) : undefined;
}
