import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';

/** Writes JSON that only this user reads: the file is there whole or not at all, also after a power cut. */
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
