/** A request of git-lfs for a project. */
export type LfsRequest = { path: string } & (
  | { what: 'batch' | 'verify' | 'locks' | 'lock' | 'verify-locks' }
  | { what: 'download'; oid: string }
  | { what: 'upload'; oid: string; size: number }
  | { what: 'unlock'; lockId: number }
);

const pattern = /^\/(?<path>[^?]+?)\.git\/info\/lfs\/(?<rest>[^?]*)/;
const objectPattern = /^objects\/(?<oid>[0-9a-f]{64})(?:\/(?<size>\d{1,15}))?$/;
const unlockPattern = /^locks\/(?<id>\d{1,15})\/unlock$/;

/** Whether a URL belongs to git-lfs, whose errors have a form of their own. */
export const isLfsRequest = (url: string): boolean => /\.git\/info\/lfs(?:[/?]|$)/.test(url);

/** Whether the body is an object. */
export const isLfsUpload = ({ method, url }: { method: string; url: string }): boolean =>
  parseLfsRequest(method, url)?.what === 'upload';

/** Parses `/<path>.git/info/lfs/…`. @returns undefined for anything else, and for wikis, which have no objects */
export function parseLfsRequest(method: string, url: string): LfsRequest | undefined {
  const groups = pattern.exec(url)?.groups;
  const path = groups && decode(groups.path ?? '');
  if (path === undefined || path.endsWith('.wiki')) return undefined;
  const asked = whatIsAsked(`${method} ${groups?.rest}`);
  return asked && ({ path, ...asked } as LfsRequest);
}

const fixed = new Map([
  ['POST objects/batch', 'batch'],
  ['POST objects/verify', 'verify'],
  ['GET locks', 'locks'],
  ['POST locks', 'lock'],
  ['POST locks/verify', 'verify-locks'],
] as const);

function whatIsAsked(asked: string) {
  const [method = '', rest = ''] = asked.split(' ', 2);
  const what = (fixed as ReadonlyMap<string, string>).get(asked);
  if (what) return { what };
  const { oid, size } = objectPattern.exec(rest)?.groups ?? {};
  if (oid && method === 'GET' && size === undefined) return { what: 'download', oid };
  if (oid && method === 'PUT' && size !== undefined) return { what: 'upload', oid, size: Number(size) };
  const { id } = unlockPattern.exec(rest)?.groups ?? {};
  return method === 'POST' && id ? { what: 'unlock', lockId: Number(id) } : undefined;
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
