import { hookErrors, readWebAddress } from '@moothall/contracts';

/** @throws hook.scheme_blocked for what is no address of the web */
export function parseHookUrl(text: string): URL {
  const url = readWebAddress(text);
  if (!url) throw hookErrors.schemeBlocked();
  return url;
}

const userInfo = /^([a-z]+:\/\/)([^/?#@]*)@/i;

/** Without name and password. A text, because an address with variables is not a URL yet. */
export const maskedUrl = (url: string): string =>
  url.replace(userInfo, (_, scheme: string, who: string) => `${scheme}${who.includes(':') ? '*****:*****' : '*****'}@`);

/** Clients send the masked address back, which means the stored one. */
export const unmaskedUrl = (given: string, kept: string): string => (given === maskedUrl(kept) ? kept : given);

const serverOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '');

/** Whether the server changes: secrets of one are not sent to another. */
export const isMoved = (before: string, after: string): boolean => serverOf(before) !== serverOf(after);

/** `{name}` is replaced by the variable of that name. */
export const withVariables = (url: string, variables: ReadonlyMap<string, string>): string =>
  url.replace(/\{([\w.-]+)\}/g, (written, name: string) => variables.get(name) ?? written);
