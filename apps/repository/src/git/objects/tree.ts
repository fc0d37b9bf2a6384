import { LRUCache } from 'lru-cache';
import { GitError } from '../process/errors';
import { growingCache } from './growing-cache';
import type { ObjectReader } from './object-reader';
import { parseTree, type TreeEntry } from './parse-tree';

/** One line of a listing: an entry and its path from the root. */
export interface ListedEntry {
  id: string;
  name: string;
  type: 'tree' | 'blob' | 'commit';
  path: string;
  /** Six octal digits. */
  mode: string;
}

export interface TreePage {
  entries: ListedEntry[];
  /** Number of entries in the whole listing. */
  total: number;
}

/** Start of a page: an offset, or the path of an entry after which it starts (keyset). */
export type PageStart = { offset: number } | { after: string };

/** Estimated size of a parsed entry, for the limit of the cache. */
const ENTRY_BYTES = 220;

/**
 * Lists folders of a repository. Parsed trees are cached by object id, so a page of a large folder costs a look-up and
 * a slice; recursive listings skip subtrees by their cached sizes.
 */
export class TreeReader {
  private readonly trees: LRUCache<string, readonly TreeEntry[]>;
  /** Number of entries below a tree, at all levels. */
  private readonly totals = growingCache<number>(500_000);

  constructor(
    private readonly objects: ObjectReader,
    cacheBytes = 128 << 20,
  ) {
    this.trees = new LRUCache({
      maxSize: cacheBytes,
      sizeCalculation: (entries) => (entries.length + 1) * ENTRY_BYTES,
    });
  }

  /** The entries of a tree object: folders, files, submodules, each by name. @throws object_unreadable, repository_not_found */
  async entries(repository: string, treeId: string): Promise<readonly TreeEntry[]> {
    const key = this.key(repository, treeId);
    const kept = this.trees.get(key);
    if (kept) return kept;
    const object = await this.objects.require(repository, treeId);
    if (object.type !== 'tree') throw new GitError('object_unreadable', '', `tree ${treeId}`);
    const entries = parseTree(object.content);
    this.trees.set(key, entries);
    return entries;
  }

  /** The entry at a path below a tree; the tree itself for an empty path; null if there is none. */
  async find(repository: string, treeId: string, path: string): Promise<TreeEntry | null> {
    let entry: TreeEntry = { id: treeId, name: '', type: 'tree', mode: '040000', rawName: null };
    for (const part of splitPath(path)) {
      if (entry.type !== 'tree') return null;
      const next = (await this.entries(repository, entry.id)).find((child) => child.name === part);
      if (!next) return null;
      entry = next;
    }
    return entry;
  }

  /**
   * One page of a folder; null if the path is not a folder.
   * @param recursive depth first: each folder, then everything below it
   */
  async list(
    repository: string,
    treeId: string,
    options: { path?: string; recursive?: boolean; start?: PageStart; limit: number },
  ): Promise<TreePage | null> {
    const path = splitPath(options.path ?? '').join('/');
    const folder = await this.find(repository, treeId, path);
    if (folder?.type !== 'tree') return null;
    const start = options.start ?? { offset: 0 };
    if (!options.recursive) return this.page(repository, folder.id, path, start, options.limit);
    const total = await this.total(repository, folder.id);
    const offset = 'offset' in start ? start.offset : await this.offsetAfter(repository, folder.id, path, start.after);
    const entries: ListedEntry[] = [];
    await this.walk(repository, folder.id, path, { skip: offset, limit: options.limit, entries });
    return { entries, total };
  }

  /** Number of entries below a tree at all levels, including folders. */
  async total(repository: string, treeId: string): Promise<number> {
    const key = this.key(repository, treeId);
    const kept = this.totals.get(key);
    if (kept !== undefined) return kept;
    const entries = await this.entries(repository, treeId);
    const below = await Promise.all(
      entries.filter((entry) => entry.type === 'tree').map((entry) => this.total(repository, entry.id)),
    );
    const total = below.reduce((sum, count) => sum + count, entries.length);
    this.totals.set(key, total);
    return total;
  }

  /**
   * Paths of the files below a tree, depth first, up to a limit.
   * @param most limit of visited entries, including folders, and of the bytes of paths
   */
  async files(
    repository: string,
    treeId: string,
    most: { entries: number; bytes: number },
  ): Promise<{ paths: string[]; isWhole: boolean }> {
    const paths: string[] = [];
    let { entries, bytes } = most;
    const walk = async (id: string, folder: string): Promise<boolean> => {
      for (const { id: child, name, type } of await this.entries(repository, id)) {
        const path = join(folder, name);
        entries -= 1;
        bytes -= Buffer.byteLength(path);
        if (entries < 0 || bytes < 0) return false;
        if (type === 'blob') paths.push(path);
        if (type === 'tree' && !(await walk(child, path))) return false;
      }
      return true;
    };
    return { isWhole: await walk(treeId, ''), paths };
  }

  private async page(
    repository: string,
    treeId: string,
    path: string,
    start: PageStart,
    limit: number,
  ): Promise<TreePage> {
    const all = await this.entries(repository, treeId);
    const from = 'offset' in start ? start.offset : indexAfter(all, path, start.after);
    return { entries: all.slice(from, from + limit).map((entry) => listed(entry, path)), total: all.length };
  }

  private async walk(
    repository: string,
    treeId: string,
    path: string,
    page: { skip: number; limit: number; entries: ListedEntry[] },
  ): Promise<void> {
    for (const entry of await this.entries(repository, treeId)) {
      if (page.entries.length >= page.limit) return;
      if (page.skip > 0) page.skip--;
      else page.entries.push(listed(entry, path));
      if (entry.type !== 'tree') continue;
      const size = page.skip > 0 ? await this.total(repository, entry.id) : 0;
      if (page.skip > 0 && page.skip >= size) page.skip -= size;
      else await this.walk(repository, entry.id, join(path, entry.name), page);
    }
  }

  /** Number of entries of a recursive listing up to and including the entry of that path. */
  private async offsetAfter(repository: string, treeId: string, root: string, after: string): Promise<number> {
    const parts = splitPath(root === '' ? after : after.slice(root.length + 1));
    let offset = 0;
    let current = treeId;
    for (const part of parts) {
      const entries = await this.entries(repository, current);
      const index = entries.findIndex((entry) => entry.name === part);
      const found = entries[index];
      if (!found) return Number.MAX_SAFE_INTEGER;
      for (const entry of entries.slice(0, index)) {
        offset += 1 + (entry.type === 'tree' ? await this.total(repository, entry.id) : 0);
      }
      offset++;
      current = found.id;
    }
    return offset;
  }

  private key(repository: string, treeId: string): string {
    return `${this.objects.generation(repository)}:${treeId}`;
  }
}

/** The segments of a path in a request; leading, trailing and doubled slashes are ignored. */
export function splitPath(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

function indexAfter(entries: readonly TreeEntry[], path: string, after: string): number {
  const index = entries.findIndex((entry) => join(path, entry.name) === after);
  return index < 0 ? entries.length : index + 1;
}

function listed({ id, name, type, mode }: TreeEntry, folder: string): ListedEntry {
  return { id, name, type, path: join(folder, name), mode };
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
