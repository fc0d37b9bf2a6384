import { type PathLike, readFileSync } from 'node:fs';

/**
 * The content of a small file of git, null if there is none. Synchronous, because the file is in the page cache: a read
 * in the thread pool takes eight times as long.
 */
export function textOf(file: PathLike, encoding: 'utf8' | 'latin1' = 'utf8'): string | null {
  try {
    return readFileSync(file, encoding);
  } catch (error) {
    return absent(error as NodeJS.ErrnoException);
  }
}

/** Handles errors for a missing file: a folder of that name contains refs `name/…` and is not a ref itself. */
export function absent(error: NodeJS.ErrnoException): null {
  if (['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'].includes(error.code ?? '')) return null;
  throw error;
}
