/** A file of git that stands for an object of Git LFS is between so many bytes large. */
export const pointerBytes = { least: 100, most: 1024 };

/** @returns SHA-256 of the object, or undefined for a file that is none. See docs/api/lfs.md#6. */
export function oidOf(content: Buffer): string | undefined {
  const [version, ...lines] = content.toString('latin1').split('\n');
  if (version !== 'version https://git-lfs.github.com/spec/v1') return undefined;
  const oid = lines.map((line) => /^oid sha256:([0-9a-f]{64})$/.exec(line)?.[1]).find((found) => found);
  return lines.some((line) => /^size \d+$/.test(line)) ? oid : undefined;
}
