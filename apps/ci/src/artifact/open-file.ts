import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { artifactErrors } from '@moothall/contracts';
import { ObjectMissing, type ObjectStorage } from '@moothall/object-storage';
import { fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import { StoredObject } from './stored-object';

/** More entries than any regular artifact has. */
const mostEntries = 200_000;
/** Limit of one unpacked file. */
const mostBytes = 10 * 1024 ** 3;

export interface StoredArchive {
  key: string;
  sizeBytes: number;
}
interface OpenedFile {
  stream: Readable;
  sizeBytes: number;
}

/**
 * One file of a zip archive, found by the archive's index and unpacked as a stream: nothing is written to disk, and
 * the output is limited to the size in the index.
 * @throws artifact.not_found if the file does not exist, or the archive is damaged, encrypted or too large
 */
export const openFile = (storage: ObjectStorage, stored: StoredArchive, path: string): Promise<OpenedFile> =>
  inArchive(storage, stored, (archive) => find(archive, path));

/** The same as text. @returns undefined for a file of more than `maxBytes` @throws artifact.not_found */
export const readFileText = (
  storage: ObjectStorage,
  stored: StoredArchive,
  path: string,
  maxBytes: number,
): Promise<string | undefined> =>
  inArchive(storage, stored, async (archive) => {
    const { stream, sizeBytes } = await find(archive, path);
    if (sizeBytes <= maxBytes) return text(stream);
    stream.destroy();
    return undefined;
  });

/** @throws artifact.not_found if the archive is damaged, or was deleted */
export async function inArchive<T>(
  storage: ObjectStorage,
  { key, sizeBytes }: StoredArchive,
  use: (archive: ZipFile) => Promise<T>,
): Promise<T> {
  const object = new StoredObject(storage, key, sizeBytes);
  try {
    return await use(await fromRandomAccessReaderPromise(object, sizeBytes, { autoClose: false }));
  } catch {
    // An invalid archive of a job is no error of the server; a failing storage is, unless the object was deleted.
    if (object.fault && !(object.fault instanceof ObjectMissing)) throw object.fault;
    throw artifactErrors.notFound();
  }
}

async function find(archive: ZipFile, path: string): Promise<OpenedFile> {
  if (archive.entryCount > mostEntries) throw artifactErrors.notFound();
  for await (const entry of archive.eachEntry()) {
    if (entry.fileName !== path) continue;
    if (path.endsWith('/') || !entry.canDecodeFileData() || entry.uncompressedSize > mostBytes) break;
    return { stream: await archive.openReadStreamPromise(entry), sizeBytes: entry.uncompressedSize };
  }
  throw artifactErrors.notFound();
}
