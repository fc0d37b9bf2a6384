import { createWriteStream, mkdirSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { ZipArchive } from 'archiver';
import { fromBufferPromise } from 'yauzl';

/** A zip archive, in memory, of files in a folder, with their permissions. @throws Error for a file that does not exist */
export async function zip(folder, names) {
  const archive = new ZipArchive();
  // A file that disappears in between is only a warning of the library.
  archive.once('warning', (error) => archive.destroy(error));
  for (const name of names) archive.file(path.join(folder, name), { name });
  const [bytes] = await Promise.all([buffer(archive), archive.finalize()]);
  return bytes;
}

/** @throws Error for a damaged archive, and for a name that leads out of the folder */
export async function unzip(bytes, folder) {
  const archive = await fromBufferPromise(bytes);
  for await (const entry of archive.eachEntry()) {
    const file = path.join(folder, entry.fileName);
    if (entry.fileName.endsWith('/')) {
      mkdirSync(file, { recursive: true });
      continue;
    }
    mkdirSync(path.dirname(file), { recursive: true });
    const mode = (entry.externalFileAttributes >>> 16) & 0o777;
    await pipeline(await archive.openReadStreamPromise(entry), createWriteStream(file, mode ? { mode } : {}));
  }
}
