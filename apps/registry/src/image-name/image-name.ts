/** Limit of path segments of an image name after the path of its project. See docs/api/registry.md#1. */
const mostPartsBelow = 2;

const maxLength = 255;
/** Lower-case letters and digits, with single separators between them. Source: distribution 2.8, `reference`. */
const part = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;

/** Whether a registry accepts an image name. */
export const isImageName = (name: string): boolean =>
  name.length <= maxLength && name.split('/').every((one) => part.test(one));

/** Paths of projects that an image of that name may belong to, longest first; a project path contains a slash. */
export function projectPathsOf(name: string): string[] {
  const parts = name.split('/');
  const lengths = Array.from({ length: mostPartsBelow + 1 }, (_, below) => parts.length - below);
  return lengths.filter((length) => length >= 2).map((length) => parts.slice(0, length).join('/'));
}
