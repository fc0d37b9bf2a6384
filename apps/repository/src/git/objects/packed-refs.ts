import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { GitError } from '../process/errors';
import { absent, textOf } from './file-text';

interface KnownFile {
  /** Changes whenever git rewrites the file. */
  version: string;
  ids: ReadonlyMap<string, string>;
}

const NONE: ReadonlyMap<string, string> = new Map();

/** Reads `packed-refs`, with one line per packed ref. */
export class PackedRefs {
  /** Estimated size of a line: 200 bytes. */
  private readonly known = new LRUCache<string, KnownFile>({
    maxSize: 64 << 20,
    sizeCalculation: ({ ids }) => (ids.size + 1) * 200,
  });

  /**
   * Ids by full name, as bytes in Latin-1: the same map while the file does not change. Read loose refs first, because
   * git packs a ref before it removes its file.
   * @throws repository_not_found
   */
  of(repository: string): ReadonlyMap<string, string> {
    const file = join(repository, 'packed-refs');
    const info = infoOf(file);
    if (!info) {
      if (!existsSync(join(repository, 'HEAD'))) throw new GitError('repository_not_found', '', repository);
      return NONE;
    }
    const version = `${info.ino} ${info.size} ${info.mtimeNs} ${info.ctimeNs}`;
    const known = this.known.get(file);
    if (known?.version === version) return known.ids;
    const ids = parse(textOf(file, 'latin1') ?? '');
    this.known.set(file, { version, ids });
    return ids;
  }
}

/** Lines are `<id> <name>`; those with `#` and `^` are metadata of git. */
function parse(text: string): Map<string, string> {
  const ids = new Map<string, string>();
  for (const line of text.split('\n')) {
    if (/^[0-9a-f]{40} /.test(line)) ids.set(line.slice(41), line.slice(0, 40));
  }
  return ids;
}

function infoOf(file: string) {
  try {
    return statSync(file, { bigint: true });
  } catch (error) {
    return absent(error as NodeJS.ErrnoException);
  }
}
