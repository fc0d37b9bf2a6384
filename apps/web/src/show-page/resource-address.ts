/** The address of a project, a group or a user, and of a page of it. */
export interface ResourceAddress {
  fullPath: string;
  /** What follows the full path and `/-`: `/issues/1` of `/group/project/-/issues/1`; empty for its own page. */
  below: string;
}

/** @returns undefined for an address that cannot be one */
export function resourceAddressOf(pathname: string): ResourceAddress | undefined {
  const [resourcePath = ''] = pathname.split('/-/', 1);
  try {
    const fullPath = decodeURIComponent(resourcePath.replace(/^\/+/, '')).replace(/(?<!\/)\/+$/, '');
    // Digits would be read as an id; no path has control characters.
    if (fullPath === '' || /^(groups\/)?\d+$|\p{Cc}/u.test(fullPath)) return undefined;
    return { fullPath, below: pathname.slice(resourcePath.length + '/-'.length) };
  } catch {
    return undefined;
  }
}
