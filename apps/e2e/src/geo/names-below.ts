import { readdirSync } from 'node:fs';

/** All names below a folder of a running server; if a part is removed while it is read, it is read again. */
export function namesBelow(folder: string): string[] {
  for (let tries = 1; ; tries++) {
    try {
      return readdirSync(folder, { recursive: true }).map(String);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === 100) throw error;
    }
  }
}
