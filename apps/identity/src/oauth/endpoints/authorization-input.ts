import type { authorize, ParsedOf } from '@moothall/contracts';

type Name = Exclude<keyof ParsedOf<typeof authorize>, 'signed_in_after'>;

/** The given parameters of an authorization request. */
export type AuthorizationInput = Partial<Record<Name | 'signed_in_after', string>>;

/**
 * Parameters without a value count as absent, and repeated ones are an error. Source: RFC 6749 3.1.
 * @returns the repeated names, in order
 */
export function onlyOnce(given: ParsedOf<typeof authorize>): { input: AuthorizationInput; repeated: string[] } {
  const entries = Object.entries(given);
  const single = entries.filter((entry): entry is [Name, string] => typeof entry[1] === 'string' && entry[1] !== '');
  const repeated = entries.filter(([, value]) => Array.isArray(value)).map(([name]) => name);
  return { input: Object.fromEntries(single) as AuthorizationInput, repeated };
}

/** The same request as a URL of this server. */
export const addressOfRequest = (input: AuthorizationInput): string =>
  `/oauth/authorize?${new URLSearchParams(Object.entries(input))}`;
