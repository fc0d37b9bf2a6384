import { hookErrors, readWebAddress } from '@moothall/contracts';

/** @throws hook.scheme_blocked for an invalid URL or another scheme */
export function parseHookUrl(text: string): URL {
  const url = readWebAddress(text);
  if (!url) throw hookErrors.schemeBlocked();
  return url;
}

/** Up to the last `@` before the path: URL parsers take earlier ones as part of the password. */
const userInfo = /^([a-z]+:\/\/)([^/?#]*)@/i;
const mask = '*****';

/** The URL without name and password. A string, because a URL with variables is not valid yet. */
export const maskedUrl = (url: string): string =>
  url.replace(
    userInfo,
    (_, scheme: string, who: string) => `${scheme}${who.includes(':') ? `${mask}:${mask}` : mask}@`,
  );

/**
 * Clients send the masked URL back; it stands for the stored one.
 * @param kept the stored one; undefined for a new hook
 * @throws hook.masked_credentials for another URL with the mask, which would be stored as name or password
 */
export function unmaskedUrl(given: string, kept?: string): string {
  if (kept !== undefined && given === maskedUrl(kept)) return kept;
  const [, , who = ''] = userInfo.exec(given) ?? [];
  if (who.split(':').includes(mask)) throw hookErrors.maskedCredentials();
  return given;
}

const serverOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '');

/** Whether the server changes: secrets for one server are not sent to another. */
export const isMoved = (before: string, after: string): boolean => serverOf(before) !== serverOf(after);

/** `{name}` is replaced by the variable of that name. */
export const withVariables = (url: string, variables: ReadonlyMap<string, string>): string =>
  url.replace(/\{([\w.-]+)\}/g, (written, name: string) => variables.get(name) ?? written);
