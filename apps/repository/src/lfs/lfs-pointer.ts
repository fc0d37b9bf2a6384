/** Size range in bytes of a git file that can be a pointer of Git LFS. */
export const pointerBytes = { least: 100, most: 1024 };

/** Content of a pointer. */
export interface LfsPointer {
  /** SHA-256 of the object. */
  oid: string;
  size: number;
}

/** @returns undefined for a file that is not a pointer. See docs/api/lfs.md#6. */
export function pointerOf(content: Buffer): LfsPointer | undefined {
  const [version, ...lines] = content.toString('latin1').split('\n');
  if (version !== 'version https://git-lfs.github.com/spec/v1') return undefined;
  const find = (pattern: RegExp) => lines.map((line) => pattern.exec(line)?.[1]).find((found) => found);
  const oid = find(/^oid sha256:([0-9a-f]{64})$/);
  const size = find(/^size (\d+)$/);
  return oid && size ? { oid, size: Number(size) } : undefined;
}
