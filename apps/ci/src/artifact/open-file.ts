import type { Readable } from 'node:stream';
import { artifactErrors } from '@moothall/contracts';
import { ObjectMissing, type ObjectStorage } from '@moothall/object-storage';
import { fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import { StoredObject } from './stored-object';

/** More entries than any job leaves behind by good intention. */
const mostEntries = 200_000;
/** Of one file, unpacked. */
const mostBytes = 10 * 1024 ** 3;

/**
 * One file out of a zip archive, found by the archive's own index and unpacked while it is read: nothing of it is written
 * anywhere, and no more comes out than the index says.
 * @throws artifact.not_found where there is no such file, also because the archive is damaged, encrypted or without bounds
 */
export async function openFile(
  storage: ObjectStorage,
  { key, sizeBytes }: { key: string; sizeBytes: number },
  path: string,
): Promise<{ stream: Readable; sizeBytes: number }> {
  const archive = await fromRandomAccessReaderPromise(new StoredObject(storage, key, sizeBytes), sizeBytes, {
    autoClose: false,
  }).catch(refuse);
  if (archive.entryCount > mostEntries) throw artifactErrors.notFound();
  return find(archive, path).catch(refuse);
}

async function find(archive: ZipFile, path: string): Promise<{ stream: Readable; sizeBytes: number }> {
  for await (const entry of archive.eachEntry()) {
    if (entry.fileName !== path) continue;
    if (path.endsWith('/') || !entry.canDecodeFileData() || entry.uncompressedSize > mostBytes) break;
    return { stream: await archive.openReadStreamPromise(entry), sizeBytes: entry.uncompressedSize };
  }
  throw artifactErrors.notFound();
}

/** What a job made of an archive is no fault of the server; that its file is away is. */
function refuse(error: unknown): never {
  if (error instanceof ObjectMissing || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
  throw artifactErrors.notFound();
}
