import type { Application } from '../application/application.schema';

/**
 * The redirect URI that is used: exactly one that was registered, or the only one where none is named. Programs on the
 * user's own machine take whatever port is free there, so of loopback addresses the port is not compared.
 * Source: RFC 6749 3.1.2.3, RFC 8252 7.3, RFC 9700 4.1.3.
 */
export function redirectUriOf({ redirectUris }: Application, asked: string | undefined): string | undefined {
  if (asked === undefined) return redirectUris.length === 1 ? redirectUris[0] : undefined;
  if (redirectUris.includes(asked)) return asked;
  const isLoopback = loopback.test(asked) && URL.canParse(asked);
  return isLoopback && redirectUris.some((registered) => withoutPort(registered) === withoutPort(asked))
    ? asked
    : undefined;
}

/** Only addresses: what the name `localhost` leads to is not sure to be this machine. Source: RFC 8252 8.3. */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/;

const withoutPort = (uri: string): string => uri.replace(loopback, '$1');
