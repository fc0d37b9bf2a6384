import { hookErrors, readWebAddress } from '@moothall/contracts';

/** @throws hook.scheme_blocked for what is no address of the web */
export function parseHookUrl(text: string): URL {
  const url = readWebAddress(text);
  if (!url) throw hookErrors.schemeBlocked();
  return url;
}

const userInfo = /^([a-z]+:\/\/)([^/?#@]*)@/i;

/** Without the name and password that stand in it. Text, since an address with variables is none yet. */
export const maskedUrl = (url: string): string =>
  url.replace(userInfo, (_, scheme: string, who: string) => `${scheme}${who.includes(':') ? '*****:*****' : '*****'}@`);

/** Clients send back what they were shown: the masked address stands for the one that is kept. */
export const unmaskedUrl = (given: string, kept: string): string => (given === maskedUrl(kept) ? kept : given);

const serverOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '');

/** Whether another server is meant: what the one is told in secret is not for the other. */
export const isMoved = (before: string, after: string): boolean => serverOf(before) !== serverOf(after);

/** `{name}` is replaced by the variable of that name. */
export const withVariables = (url: string, variables: ReadonlyMap<string, string>): string =>
  url.replace(/\{([\w.-]+)\}/g, (written, name: string) => variables.get(name) ?? written);
