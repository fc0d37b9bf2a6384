import { readdirSync } from 'node:fs';

/** All below a folder of a running server; where a part of it goes while it is read, it is read anew. */
export function namesBelow(folder: string): string[] {
  for (let tries = 1; ; tries++) {
    try {
      return readdirSync(folder, { recursive: true }).map(String);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === 100) throw error;
    }
  }
}
