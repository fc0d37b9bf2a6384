/**
 * The full path of a project, group or user in an address: `group/project` for `/group/project/-/issues/1`.
 * @returns undefined for an address that cannot be one
 */
export function fullPathOf(pathname: string): string | undefined {
  const [resourcePath = ''] = pathname.replace(/^\/+/, '').split('/-/', 1);
  try {
    const text = decodeURIComponent(resourcePath).replace(/(?<!\/)\/+$/, '');
    // Digits would be read as an id; no path has control characters.
    return text !== '' && !/^(groups\/)?\d+$|\p{Cc}/u.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
