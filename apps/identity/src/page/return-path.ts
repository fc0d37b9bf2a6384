const home = '/-/profile/applications';

/** Characters of a way back as it stands in an address: clients take 16 KB of headers in all, and it goes in one of them. */
const maxReturnLength = 12_288;

/** Whether a page can lead to another one and from there back to `path`; encoded twice, it may be six times as long. */
export const fitsReturn = (path: string): boolean =>
  path.length <= maxReturnLength && parametersOf(path).length <= maxReturnLength;

/** Where to go after a form: a path of this server, or the profile. */
export function returnPath(text: string | undefined): string {
  // Browsers read a backslash like a slash, and drop tabs and line ends.
  const isPath = text !== undefined && fitsReturn(text) && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text);
  return isPath ? text : home;
}

/** `path` with the way back, for links and forms; without it where that is too long for a header. */
export const withReturn = (path: string, returnTo: string | undefined): string =>
  returnTo && fitsReturn(returnTo) ? `${path}?${parametersOf(returnTo)}` : path;

const parametersOf = (returnTo: string): string => new URLSearchParams({ return_to: returnTo }).toString();

/**
 * Where a chain of redirects may end that begins at a path here: an authorization leads on to its application, and
 * browsers hold the redirects after a form to the form's targets.
 * @returns the origin, or the scheme of an application on the device
 */
export function finalTarget(path: string): string | undefined {
  if (!path.startsWith('/oauth/authorize?')) return undefined;
  const target = new URLSearchParams(path.slice(path.indexOf('?'))).get('redirect_uri');
  return target ? formTargetOf(target) : undefined;
}

/** How a policy names the place of a redirect URI. */
export function formTargetOf(redirectUri: string): string | undefined {
  if (!URL.canParse(redirectUri)) return undefined;
  const { origin, protocol } = new URL(redirectUri);
  // A host may have characters that would begin another directive of the policy.
  if (origin !== 'null') return /^[a-z]+:\/\/[\w.:[\]-]+$/.test(origin) ? origin : undefined;
  return /^[a-z][a-z0-9.+-]*:$/.test(protocol) && protocol !== 'javascript:' ? protocol : undefined;
}
