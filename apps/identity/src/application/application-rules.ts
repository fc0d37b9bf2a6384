import { scopes as knownScopes, type Scope } from '@moothall/contracts';
import { mostRedirectUris } from './application.schema';

/** Shows the code to the user instead of redirecting. */
export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';

const maxNameLength = 255;
const forbiddenSchemes = new Set(['data:', 'vbscript:', 'javascript:']);

export interface Registration {
  name: string;
  redirectUris: string[];
  scopes: Scope[];
}

/** Redirect URIs are separated by line breaks, scopes by blanks. */
export function readRegistration(name: string, redirectUris: string, scopes: string): Registration {
  const split = (text: string): string[] => text.split(/\s+/).filter(Boolean);
  return { name, redirectUris: split(redirectUris), scopes: [...new Set(split(scopes))] as Scope[] };
}

/** Errors of an application, by attribute. See docs/api/oauth.md#2. */
export function registrationProblems({ name, redirectUris, scopes }: Registration): Record<string, string[]> {
  const problems: Record<string, string[]> = {};
  if (name.trim() === '') problems.name = ["can't be blank"];
  else if (name.length > maxNameLength) problems.name = [`is too long (maximum is ${maxNameLength} characters)`];
  const uriProblems = new Set(redirectUris.flatMap((uri) => uriProblem(uri) ?? []));
  if (redirectUris.length === 0) problems.redirect_uri = ["can't be blank"];
  else if (redirectUris.length > mostRedirectUris)
    problems.redirect_uri = [`are too many (maximum is ${mostRedirectUris})`];
  else if (uriProblems.size > 0) problems.redirect_uri = [...uriProblems];
  if (scopes.length === 0 || scopes.some((scope) => !knownScopes.includes(scope))) {
    problems.scopes = ["doesn't match configured on the server."];
  }
  return problems;
}

function uriProblem(uri: string): string | undefined {
  if (uri === outOfBand) return undefined;
  if (!URL.canParse(uri)) return 'must be an absolute URI.';
  const { protocol } = new URL(uri);
  // An empty fragment counts, too; a URL object does not show it. Source: RFC 6749 3.1.2.
  if (uri.includes('#')) return 'cannot contain a fragment.';
  return forbiddenSchemes.has(protocol) ? 'is forbidden by the server.' : undefined;
}
