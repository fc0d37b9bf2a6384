import type { Address } from '../page/page';

/** The address of any request. */
export interface RequestAddress extends Address {
  pathname: string;
}

/** The path of a request, and its query. */
export function requestAddressOf(path: string): RequestAddress {
  const [pathname = ''] = path.split('?', 1);
  return { path, pathname, query: new URLSearchParams(path.slice(pathname.length)) };
}

/** The address of a project, a group or a user, and of a page of it. */
export interface ResourceAddress {
  fullPath: string;
  /** What follows the full path and `/-`: `/issues/1` of `/group/project/-/issues/1`; empty for its own page. */
  below: string;
  /** The rest of the request: the address without the full path, with the query. */
  rest: string;
}

/** @returns undefined for an address that cannot be one */
export function resourceAddressOf({ path, pathname }: RequestAddress): ResourceAddress | undefined {
  const { resourcePath, below } = splitPath(pathname);
  try {
    const fullPath = decodeURIComponent(resourcePath.replace(/^\/+/, '')).replace(/(?<!\/)\/+$/, '');
    // Digits would be read as an id; no path has control characters.
    if (fullPath === '' || /^(groups\/)?\d+$|\p{Cc}/u.test(fullPath)) return undefined;
    return { fullPath, below, rest: path.slice(resourcePath.length) };
  } catch {
    return undefined;
  }
}

function splitPath(pathname: string): { resourcePath: string; below: string } {
  const [resourcePath = ''] = pathname.split('/-/', 1);
  if (resourcePath !== pathname) return { resourcePath, below: pathname.slice(resourcePath.length + '/-'.length) };
  // The settings of a project are at /group/project/edit; no project and no subgroup has the path `edit`.
  const ofSettings = /^\/(?!groups\/)[^/]+\/.+(?=\/edit$)/.exec(pathname);
  return ofSettings ? { resourcePath: ofSettings[0], below: '/edit' } : { resourcePath, below: '' };
}
