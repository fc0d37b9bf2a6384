export interface UploadAddress {
  /** Full path of the project. */
  project: string;
  /** What stands behind it, as it came: `<secret>/<name>`. */
  file: string;
}

const pattern = /^\/(?<path>[^?]+)\/uploads\/(?<file>[0-9a-f]{32}\/[^/?]+)(?:\?|$)/;

/**
 * Reads `/<path>/uploads/<secret>/<name>`: what an upload is answered as (`url`), put behind the address of its project, as
 * programs make links of it. @returns undefined for anything else
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
