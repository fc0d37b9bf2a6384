import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';

/** Bytes that zlib and the object header may add to incompressible content. */
const overheadBytes = 64;

/** Contents of loose blobs of a size range below an objects folder, read in git's format. */
export async function* looseBlobs(
  folder: string,
  { least, most }: { least: number; most: number },
): AsyncGenerator<Buffer> {
  for (const name of await readdir(folder)) {
    if (!/^[0-9a-f]{2}$/.test(name)) continue;
    for (const rest of await readdir(join(folder, name))) {
      const file = join(folder, name, rest);
      // Incomplete files have other names.
      if (!/^[0-9a-f]{38}$/.test(rest) || (await stat(file)).size > most + overheadBytes) continue;
      const blob = blobOf(await readFile(file), most + overheadBytes);
      if (blob && blob.length >= least && blob.length <= most) yield blob;
    }
  }
}

/** The content, if it is a blob up to this size. */
function blobOf(file: Buffer, mostBytes: number): Buffer | undefined {
  try {
    const object = inflateSync(file, { maxOutputLength: mostBytes });
    return object.toString('latin1', 0, 5) === 'blob ' ? object.subarray(object.indexOf(0) + 1) : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw error;
  }
}
