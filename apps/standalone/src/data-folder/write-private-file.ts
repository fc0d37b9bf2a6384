import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';

/** Writes JSON that only this user can read: the file is complete or missing, also after a power failure. */
export function writePrivateFile(file: string, content: unknown): void {
  const temporary = `${file}.new`;
  const handle = openSync(temporary, 'w', 0o600);
  try {
    writeSync(handle, `${JSON.stringify(content, null, 2)}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(temporary, file);
}
