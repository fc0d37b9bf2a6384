// Field names repeat endlessly. Cached by a hash of their bytes, they need no native call and no new string.
const slots: (string | undefined)[] = new Array(4096).fill(undefined);
const longestKept = 32;

/** Reads a field name of `bytes[start..end)`. */
export function readName(bytes: Buffer, start: number, end: number): string {
  if (end - start > longestKept) return bytes.toString('utf8', start, end);
  let hash = end - start;
  for (let index = start; index < end; index++) hash = (hash * 31 + (bytes[index] as number)) | 0;
  const slot = hash & 4095;
  const known = slots[slot];
  if (known !== undefined && isName(known, bytes, start, end)) return known;
  const name = bytes.toString('utf8', start, end);
  slots[slot] = name;
  return name;
}

/** Names beyond ASCII never agree, since their length in bytes is another: they are decoded each time. */
function isName(name: string, bytes: Buffer, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let index = 0; index < name.length; index++) {
    if (name.charCodeAt(index) !== bytes[start + index]) return false;
  }
  return true;
}
