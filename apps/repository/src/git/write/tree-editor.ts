import type { ObjectReader } from '../objects/object-reader';
import { readEntries } from '../objects/parse-tree';
import { GitError } from '../process/errors';
import { decodeName } from '../process/text';
import type { NewTreeEntry, ObjectWriter } from './object-writer';

type Node = NewTreeEntry | Folder;

const FOLDER_MODE = '040000';

/** One folder during editing; its entries are read when first needed, and only changed folders are written. */
class Folder {
  private entries: Map<string, Node> | null = null;
  isChanged = false;

  constructor(
    /** The name's bytes in Latin-1. */
    readonly name: string,
    private readonly treeId: string | null,
    private readonly objects: ObjectReader,
    private readonly repository: string,
  ) {}

  async load(): Promise<Map<string, Node>> {
    if (this.entries) return this.entries;
    const entries = new Map<string, Node>();
    if (this.treeId) {
      const object = await this.objects.require(this.repository, this.treeId);
      if (object.type !== 'tree') throw new GitError('object_unreadable', '', `tree ${this.treeId}`);
      for (const entry of readEntries(object.content)) {
        const name = (entry.rawName ?? Buffer.from(entry.name)).toString('latin1');
        const isFolder = entry.type === 'tree';
        entries.set(name, isFolder ? this.child(name, entry.id) : { name, mode: entry.mode, id: entry.id });
      }
    }
    this.entries = entries;
    return entries;
  }

  /** The entry of a name in a request: by its UTF-8 bytes, or in the escaped form of a name that is not UTF-8. */
  async get(part: string): Promise<Node | undefined> {
    const entries = await this.load();
    const exact = entries.get(latin1(part));
    if (exact || !part.includes('\\')) return exact;
    return [...entries.values()].find((node) => decodeName(Buffer.from(node.name, 'latin1')) === part);
  }

  child(name: string, treeId: string | null): Folder {
    return new Folder(name, treeId, this.objects, this.repository);
  }

  /** Stores changed folders below and this one; null if it is empty. */
  async write(writer: ObjectWriter): Promise<string | null> {
    if (!this.isChanged) return this.treeId;
    const written: NewTreeEntry[] = [];
    for (const node of (await this.load()).values()) {
      const entry =
        node instanceof Folder ? { name: node.name, mode: FOLDER_MODE, id: await node.write(writer) } : node;
      if (entry.id) written.push({ ...entry, id: entry.id });
    }
    return written.length > 0 ? writer.tree(written) : null;
  }
}

/** A file in a tree. */
export interface FileEntry {
  mode: string;
  id: string;
}

/** Changes files of a tree in memory; only the folders on their paths are read, and written again by {@link write}. */
export class TreeEditor {
  private readonly root: Folder;

  constructor(objects: ObjectReader, repository: string, treeId: string | null) {
    this.root = new Folder('', treeId, objects, repository);
  }

  /** The object at a path: a file, link or submodule, `'folder'`, or null. */
  async find(path: string): Promise<FileEntry | 'folder' | null> {
    let node: Node | undefined = this.root;
    for (const part of checkPath(path)) {
      if (!(node instanceof Folder)) return null;
      node = await node.get(part);
    }
    if (node instanceof Folder) return (await isEmpty(node)) ? null : 'folder';
    return node ? { mode: node.mode, id: node.id } : null;
  }

  /** Puts a file at a path, and creates folders on the way. @throws path_invalid, file_in_the_way, directory_exists */
  async put(path: string, file: FileEntry): Promise<void> {
    const parts = checkPath(path);
    const name = parts.pop() ?? '';
    let folder = this.root;
    folder.isChanged = true;
    for (const part of parts) {
      const existing = await folder.get(part);
      if (existing && !(existing instanceof Folder)) throw new GitError('file_in_the_way', part);
      const next = existing ?? folder.child(latin1(part), null);
      (await folder.load()).set(next.name, next);
      next.isChanged = true;
      folder = next;
    }
    const existing = await folder.get(name);
    if (existing instanceof Folder && !(await isEmpty(existing))) throw new GitError('directory_exists');
    const key = existing?.name ?? latin1(name);
    (await folder.load()).set(key, { name: key, ...file });
  }

  /** Removes a file; folders that become empty are removed as well. */
  async remove(path: string): Promise<void> {
    const parts = checkPath(path);
    const name = parts.pop() ?? '';
    let folder = this.root;
    folder.isChanged = true;
    for (const part of parts) {
      const next = await folder.get(part);
      if (!(next instanceof Folder)) return;
      next.isChanged = true;
      folder = next;
    }
    const existing = await folder.get(name);
    if (existing) (await folder.load()).delete(existing.name);
  }

  /** The id of the changed tree, which may be empty. */
  async write(writer: ObjectWriter): Promise<string> {
    return (await this.root.write(writer)) ?? writer.tree([]);
  }
}

async function isEmpty(folder: Folder): Promise<boolean> {
  for (const node of (await folder.load()).values()) {
    if (!(node instanceof Folder) || !(await isEmpty(node))) return false;
  }
  return true;
}

function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}

const MAX_PATH_BYTES = 4096;
const MAX_NAME_BYTES = 255;
/** `.git` in all forms that file systems treat as the same name. */
const GIT_FOLDER = /^(\.git|git~\d+)[ .]*(:.*)?$/i;
const IGNORED_BY_FILE_SYSTEMS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** The segments of a path to write to. @throws path_invalid for anything but plain relative paths */
export function checkPath(path: string): string[] {
  const parts = path.split('/');
  const isBad = (part: string) =>
    part === '' ||
    part === '.' ||
    part === '..' ||
    /\p{Cc}/u.test(part) ||
    Buffer.byteLength(part) > MAX_NAME_BYTES ||
    GIT_FOLDER.test(part.replace(IGNORED_BY_FILE_SYSTEMS, ''));
  if (Buffer.byteLength(path) > MAX_PATH_BYTES || parts.some(isBad))
    throw new GitError('path_invalid', path.slice(0, 200));
  return parts;
}
