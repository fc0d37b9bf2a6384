/** A scheme, a host, and nothing that a parser would drop or turn: blanks, control characters, backslashes. */
const written = /^([a-z][a-z0-9+.-]*):\/\/[^/?#\s\\][^\s\\\p{Cc}]*$/iu;

/**
 * Reads an address as it is written. The parser of the WHATWG repairs `http:///host`, `http:host` and `http:\\host`; here they
 * are no addresses.
 * @returns undefined for what is no address of these schemes
 */
export function readWebAddress(text: string, schemes: readonly string[] = ['http', 'https']): URL | undefined {
  const [, scheme = ''] = written.exec(text) ?? [];
  return schemes.includes(scheme.toLowerCase()) && URL.canParse(text) ? new URL(text) : undefined;
}
