/** How many parts an image name may have after the path of its project. See docs/api/registry.md#1. */
const mostPartsBelow = 2;

const maxLength = 255;
/** Small letters and digits, with one of the separators between them. Source: distribution 2.8, `reference`. */
const part = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;

/** Whether a registry takes an image name. */
export const isImageName = (name: string): boolean =>
  name.length <= maxLength && name.split('/').every((one) => part.test(one));

/** Paths of the projects that an image of that name may be of, the longest first; a path of a project has a slash. */
export function projectPathsOf(name: string): string[] {
  const parts = name.split('/');
  const lengths = Array.from({ length: mostPartsBelow + 1 }, (_, below) => parts.length - below);
  return lengths.filter((length) => length >= 2).map((length) => parts.slice(0, length).join('/'));
}
