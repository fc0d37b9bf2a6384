import type { authorize, ParsedOf } from '@moothall/contracts';

type Name = Exclude<keyof ParsedOf<typeof authorize>, 'signed_in_after'>;

/** Parameters of an authorization request that were given, each once. */
export type AuthorizationInput = Partial<Record<Name | 'signed_in_after', string>>;

/**
 * Parameters without a value count as not given, and those given twice are a mistake. Source: RFC 6749 3.1.
 * @returns repeated, in the order they came
 */
export function onlyOnce(given: ParsedOf<typeof authorize>): { input: AuthorizationInput; repeated: string[] } {
  const entries = Object.entries(given);
  const single = entries.filter((entry): entry is [Name, string] => typeof entry[1] === 'string' && entry[1] !== '');
  const repeated = entries.filter(([, value]) => Array.isArray(value)).map(([name]) => name);
  return { input: Object.fromEntries(single) as AuthorizationInput, repeated };
}

/** The request once more, as an address here. */
export const addressOfRequest = (input: AuthorizationInput): string =>
  `/oauth/authorize?${new URLSearchParams(Object.entries(input))}`;
