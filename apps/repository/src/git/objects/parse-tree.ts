import { decodeName } from '../process/text';

/** An entry of a tree object. */
export interface TreeEntry {
  id: string;
  /** In the form of {@link decodeName}. */
  name: string;
  /** `commit` is a submodule. */
  type: 'tree' | 'blob' | 'commit';
  /** Six octal digits. */
  mode: string;
  /** The name as bytes, if `name` cannot be converted back to them. */
  rawName: Buffer | null;
}

const ID_BYTES = 20;
const ORDER = { tree: 0, blob: 1, commit: 2 };

/** Entries of a raw tree object in the order of listings: folders, files, submodules, each by name. */
export function parseTree(content: Buffer): TreeEntry[] {
  return [...readEntries(content)].sort(compareEntries);
}

/** The entries of a raw tree object in its own order: a sequence of `<mode> <name>\0<20 bytes>`. */
export function* readEntries(content: Buffer): Generator<TreeEntry> {
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const end = content.indexOf(0, space);
    const mode = content.toString('latin1', at, space).padStart(6, '0');
    const bytes = content.subarray(space + 1, end);
    const name = decodeName(bytes);
    const id = content.toString('hex', end + 1, end + 1 + ID_BYTES);
    yield { id, name, type: typeOf(mode), mode, rawName: Buffer.from(name).equals(bytes) ? null : Buffer.from(bytes) };
    at = end + 1 + ID_BYTES;
  }
}

function typeOf(mode: string): TreeEntry['type'] {
  if (mode === '040000') return 'tree';
  return mode === '160000' ? 'commit' : 'blob';
}

function compareEntries(a: TreeEntry, b: TreeEntry): number {
  return ORDER[a.type] - ORDER[b.type] || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}
