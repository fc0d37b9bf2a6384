export interface UploadAddress {
  /** Full path of the project. */
  project: string;
  /** The rest of the path as received: `<secret>/<name>`. */
  file: string;
}

const pattern = /^\/(?<path>[^?]+)\/uploads\/(?<file>[0-9a-f]{32}\/[^/?]+)(?:\?|$)/;

/**
 * Parses `/<path>/uploads/<secret>/<name>`: the `url` of an upload, appended to the URL of its project, as programs
 * build links. @returns undefined for anything else
 */
export function parseUploadAddress(method: string, url: string): UploadAddress | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const { path, file } = pattern.exec(url)?.groups ?? {};
  if (path === undefined || file === undefined) return undefined;
  try {
    return { project: decodeURIComponent(path), file };
  } catch {
    return undefined;
  }
}
