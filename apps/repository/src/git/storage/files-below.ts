import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Paths of all files below a folder while git may write to it: its temporary folders come and go. Files that vanish
 * during the walk are left out.
 */
export async function* filesBelow(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}
