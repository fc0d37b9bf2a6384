import { type Dirent, readdirSync } from 'node:fs';
import path from 'node:path';

/** Paths of all files below a folder while others change it: files that are deleted meanwhile are left out. */
export function below(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const place = path.join(folder, entry.name);
    return entry.isDirectory() ? [place, ...below(place)] : [place];
  });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
