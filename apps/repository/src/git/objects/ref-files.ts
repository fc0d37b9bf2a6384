import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { textOf } from './file-text';
import { LooseRefs, type RefFolder } from './loose-refs';
import { PackedRefs } from './packed-refs';
import { isRefname } from './revision';

/** A full ref name, as bytes in Latin-1, and the id of its object. */
export interface RefLine {
  name: string;
  id: string;
}

/** A cached list, and the state of the files that it was made from. */
interface KnownList {
  folders: readonly RefFolder[];
  packed: ReadonlyMap<string, string>;
  refs: readonly RefLine[];
}

const CONTENT = /^(?:ref: (?<target>\S[^\n]*)|(?<id>[0-9a-f]{40}))$/;
const NO_OBJECT = '0'.repeat(40);
/** Files read before other work gets a turn: about two milliseconds. */
const FILES_IN_A_ROW = 5000;
/** The same limit as in git. */
const MAX_SYMBOLIC_STEPS = 5;

/**
 * Reads refs as git stores them: loose files, or lines of `packed-refs`. Nearly every request names a branch, and this
 * way none needs a process. The cache is compared with the files on each read, so it does not matter who changed them.
 */
export class RefFiles {
  private readonly loose = new LooseRefs();
  private readonly packed = new PackedRefs();
  /** Estimated size of a ref: 500 bytes, including data that others attach to a list. */
  private readonly lists = new LRUCache<string, KnownList>({
    maxSize: 128 << 20,
    sizeCalculation: ({ refs }) => (refs.length + 1) * 500,
  });

  /**
   * @param name `HEAD` or a full ref name that git accepts
   * @returns the id of its object, without peeling tags; null if there is no such ref
   * @throws repository_not_found
   */
  async read(repository: string, name: string): Promise<string | null> {
    let current = name;
    for (let step = 0; step <= MAX_SYMBOLIC_STEPS; step++) {
      const loose = textOf(join(repository, current));
      if (loose === null) return this.packed.of(repository).get(bytesOf(current)) ?? null;
      const { id, target } = CONTENT.exec(loose.trimEnd())?.groups ?? {};
      if (id) return id;
      if (!target?.startsWith('refs/') || target.includes('..')) return null;
      current = target;
    }
    return null;
  }

  /**
   * All refs below a folder, in byte order: the same array while nothing has changed. Broken refs are left out, as in
   * git.
   * @param folder `refs/heads`
   * @throws repository_not_found
   */
  async list(repository: string, folder: string): Promise<readonly RefLine[]> {
    const key = `${repository}\0${folder}`;
    const folders = await this.loose.below(repository, folder);
    const packed = this.packed.of(repository);
    const known = this.lists.get(key);
    if (known && known.packed === packed && isSame(known.folders, folders)) return known.refs;
    const { ids, isSymbolic } = await this.merge(repository, `${folder}/`, folders, packed);
    const refs = [...ids].map(([name, id]) => ({ name, id })).sort(byName);
    // The target of a symbolic ref changes elsewhere.
    if (isSymbolic) this.lists.delete(key);
    else this.lists.set(key, { folders, packed, refs });
    return refs;
  }

  private async merge(
    repository: string,
    start: string,
    folders: readonly RefFolder[],
    packed: ReadonlyMap<string, string>,
  ): Promise<{ ids: Map<string, string>; isSymbolic: boolean }> {
    const ids = new Map([...packed].filter(([name]) => name.startsWith(start) && isRefname(name)));
    let isSymbolic = false;
    let count = 0;
    for (const [name, text] of folders.flatMap(({ files }) => [...files])) {
      if (++count % FILES_IN_A_ROW === 0) await nextTurn();
      const { id, target } = CONTENT.exec(text)?.groups ?? {};
      if (target) isSymbolic = true;
      const found = target ? await this.read(repository, Buffer.from(name, 'latin1').toString()) : id;
      if (found && found !== NO_OBJECT) ids.set(name, found);
      else ids.delete(name);
    }
    return { ids, isSymbolic };
  }
}

const isSame = <T>(left: readonly T[], right: readonly T[]): boolean =>
  left.length === right.length && left.every((item, index) => item === right[index]);

const byName = (a: RefLine, b: RefLine): number => (a.name < b.name ? -1 : 1);

/** UTF-8 bytes as a Latin-1 string. */
const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');
