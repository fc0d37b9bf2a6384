import type { Application } from '../application/application.schema';

/**
 * The redirect URI to use: exactly a registered one, or the only one if none is named. Programs on the user's machine
 * use any free port, so the port of loopback addresses is not compared. Source: RFC 6749 3.1.2.3, RFC 8252 7.3, RFC
 * 9700 4.1.3.
 */
export function redirectUriOf({ redirectUris }: Application, asked: string | undefined): string | undefined {
  if (asked === undefined) return redirectUris.length === 1 ? redirectUris[0] : undefined;
  if (redirectUris.includes(asked)) return asked;
  const isLoopback = loopback.test(asked) && URL.canParse(asked);
  return isLoopback && redirectUris.some((registered) => withoutPort(registered) === withoutPort(asked))
    ? asked
    : undefined;
}

/** IP addresses only: the name `localhost` may resolve to another machine. Source: RFC 8252 8.3. */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/;

const withoutPort = (uri: string): string => uri.replace(loopback, '$1');
