const home = '/';

/** Limit of characters for a return path in a URL: clients accept headers of 16 KB in all. */
const maxReturnLength = 12_288;

/** Whether a page can link to another one and back to `path`; encoded twice, it may be six times as long. */
export const fitsReturn = (path: string): boolean =>
  path.length <= maxReturnLength && parametersOf(path).length <= maxReturnLength;

/** Target after a form: a path of this server, or the start page. */
export function returnPath(text: string | undefined): string {
  // Browsers read a backslash like a slash, and drop tabs and line ends.
  const isPath = text !== undefined && fitsReturn(text) && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text);
  return isPath ? text : home;
}

/** `path` with the return path, for links and forms; without it if it is too long for a header. */
export const withReturn = (path: string, returnTo: string | undefined): string =>
  returnTo && fitsReturn(returnTo) ? `${path}?${parametersOf(returnTo)}` : path;

const parametersOf = (returnTo: string): string => new URLSearchParams({ return_to: returnTo }).toString();

/**
 * The end of a redirect chain that begins at a path of this server: an authorization redirects to its application, and
 * browsers apply form-action to redirects.
 * @returns the origin, or the scheme of an application on the device
 */
export function finalTarget(path: string): string | undefined {
  if (!path.startsWith('/oauth/authorize?')) return undefined;
  const target = new URLSearchParams(path.slice(path.indexOf('?'))).get('redirect_uri');
  return target ? formTargetOf(target) : undefined;
}

/** The form of a redirect URI in a content security policy. */
export function formTargetOf(redirectUri: string): string | undefined {
  if (!URL.canParse(redirectUri)) return undefined;
  const { origin, protocol } = new URL(redirectUri);
  // A host may contain characters that would begin another directive of the policy.
  if (origin !== 'null') return /^[a-z]+:\/\/[\w.:[\]-]+$/.test(origin) ? origin : undefined;
  return /^[a-z][a-z0-9.+-]*:$/.test(protocol) && protocol !== 'javascript:' ? protocol : undefined;
}
