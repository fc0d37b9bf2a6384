import { type PathLike, readFileSync } from 'node:fs';

/**
 * The text of a small file of git's, null if there is none. Synchronous, as these bytes are in the system's page
 * cache: passing the read to a thread takes eight times as long.
 */
export function textOf(file: PathLike, encoding: 'utf8' | 'latin1' = 'utf8'): string | null {
  try {
    return readFileSync(file, encoding);
  } catch (error) {
    return absent(error as NodeJS.ErrnoException);
  }
}

/** Passes on what says that no file is there: a folder of that name holds refs `name/…`, and is none itself. */
export function absent(error: NodeJS.ErrnoException): null {
  if (['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'].includes(error.code ?? '')) return null;
  throw error;
}
