import { readFileSync } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { GitError } from '../process/errors';

interface PackedRefs {
  /** Changes whenever git writes the file anew. */
  version: string;
  ids: ReadonlyMap<string, string>;
}

const LOOSE = /^(?:ref: (?<target>\S[^\n]*)|(?<id>[0-9a-f]{40}))$/;
/** Git itself follows no more. */
const MAX_SYMBOLIC_STEPS = 5;

/**
 * Reads refs as git stores them: a file each, or a line of `packed-refs`. Nearly every request names a branch, and this
 * way none needs a process to learn where it points.
 */
export class RefFiles {
  /** Parsed `packed-refs`, by file. Rough memory of a line: 200 bytes. */
  private readonly packed = new LRUCache<string, PackedRefs>({
    maxSize: 64 << 20,
    sizeCalculation: ({ ids }) => (ids.size + 1) * 200,
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
      if (loose === null) return (await this.packedRefs(repository)).get(current) ?? null;
      const { id, target } = LOOSE.exec(loose.trimEnd())?.groups ?? {};
      if (id) return id;
      if (!target?.startsWith('refs/') || target.includes('..')) return null;
      current = target;
    }
    return null;
  }

  /** Looked at after the file of the ref: git packs a ref before it removes its file. */
  private async packedRefs(repository: string): Promise<ReadonlyMap<string, string>> {
    const file = join(repository, 'packed-refs');
    const info = await stat(file, { bigint: true }).catch(absent);
    if (!info) {
      await access(join(repository, 'HEAD')).catch(() => {
        throw new GitError('repository_not_found', '', repository);
      });
      return new Map();
    }
    const version = `${info.ino} ${info.size} ${info.mtimeNs} ${info.ctimeNs}`;
    const known = this.packed.get(file);
    if (known?.version === version) return known.ids;
    const ids = parse(textOf(file) ?? '');
    this.packed.set(file, { version, ids });
    return ids;
  }
}

/** Lines are `<id> <name>`; those with `#` and `^` are notes for git. */
function parse(text: string): Map<string, string> {
  const ids = new Map<string, string>();
  for (const line of text.split('\n')) {
    if (/^[0-9a-f]{40} /.test(line)) ids.set(line.slice(41), line.slice(0, 40));
  }
  return ids;
}

/** At once, as these are bytes that the system holds in memory: to hand it to a thread takes eight times as long. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    return absent(error as NodeJS.ErrnoException);
  }
}

/** A folder of that name holds refs `name/…`, and is none itself. */
function absent(error: NodeJS.ErrnoException): null {
  if (['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'].includes(error.code ?? '')) return null;
  throw error;
}
