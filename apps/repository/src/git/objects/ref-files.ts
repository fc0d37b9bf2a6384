import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { textOf } from './file-text';
import { LooseRefs, type RefFolder } from './loose-refs';
import { PackedRefs } from './packed-refs';
import { isRefname } from './revision';

/** A ref by its full name, byte by byte as Latin-1, and the object that it names. */
export interface RefLine {
  name: string;
  id: string;
}

/** A list, and what it was made of. */
interface KnownList {
  folders: readonly RefFolder[];
  packed: ReadonlyMap<string, string>;
  refs: readonly RefLine[];
}

const CONTENT = /^(?:ref: (?<target>\S[^\n]*)|(?<id>[0-9a-f]{40}))$/;
const NO_OBJECT = '0'.repeat(40);
/** Files looked through before others have their turn: some two milliseconds. */
const FILES_IN_A_ROW = 5000;
/** Git itself follows no more. */
const MAX_SYMBOLIC_STEPS = 5;

/**
 * Reads refs as git stores them: a file each, or a line of `packed-refs`. Nearly every request names a branch, and this
 * way none needs a process to read it. The cache is compared with the files each time, so it does not matter
 * who has changed them.
 */
export class RefFiles {
  private readonly loose = new LooseRefs();
  private readonly packed = new PackedRefs();
  /** Rough memory of a ref: 500 bytes, with what others keep beside a list as long as it is here. */
  private readonly lists = new LRUCache<string, KnownList>({
    maxSize: 128 << 20,
    sizeCalculation: ({ refs }) => (refs.length + 1) * 500,
  });

  /**
   * @param name `HEAD` or a full ref name that git accepts
   * @returns the id of the object it names, tag objects not followed; null when there is no such ref
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
   * All refs below a folder, in the order of their bytes: the very same list as long as nothing has changed. Broken ones
   * are left out, as git does.
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
    // Where a symbolic ref leads changes elsewhere.
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

/** Text as Latin-1 that has its bytes in UTF-8. */
const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');
