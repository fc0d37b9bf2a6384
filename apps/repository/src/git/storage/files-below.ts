import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Paths of all files below a folder that git may be writing to: its folders for what is not whole yet come and go. What
 * vanishes while it is walked is left out, and costs nothing else.
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
