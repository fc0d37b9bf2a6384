import { artifactErrors, mostListed } from '@moothall/contracts';
import type { ObjectStorage } from '@moothall/object-storage';
import type { ZipFile } from 'yauzl';
import { inArchive, type StoredArchive } from './open-file';

export interface ArchiveFolder {
  /** Names, sorted. */
  folders: string[];
  files: { name: string; size: number }[];
  /** Whether the whole index was read, and all files and folders are listed. */
  is_whole: boolean;
}

/**
 * Folders and files in a folder of a zip archive, by the archive's index.
 * @param folder path without a slash at the end; empty for the root
 * @throws artifact.not_found if the folder does not exist, or the archive is damaged
 */
export const listFolder = (storage: ObjectStorage, stored: StoredArchive, folder: string): Promise<ArchiveFolder> =>
  inArchive(storage, stored, (archive) => list(archive, folder));

async function list(archive: ZipFile, folder: string): Promise<ArchiveFolder> {
  const start = folder === '' ? '' : `${folder}/`;
  const folders = new Set<string>();
  const files = new Map<string, number>();
  let exists = start === '';
  let left = mostListed.entries;
  for await (const { fileName, uncompressedSize } of archive.eachEntry()) {
    if (left === 0 || folders.size + files.size > mostListed.files) break;
    left -= 1;
    if (!fileName.startsWith(start)) continue;
    exists = true;
    const [name = '', ...below] = fileName.slice(start.length).split('/');
    if (name === '') continue;
    if (below.length > 0) folders.add(name);
    else files.set(name, uncompressedSize);
  }
  if (!exists) throw artifactErrors.notFound();
  const listed = [...files].map(([name, size]) => ({ name, size })).sort((one, other) => compare(one.name, other.name));
  return {
    folders: [...folders].sort(compare).slice(0, mostListed.files),
    files: listed.slice(0, mostListed.files),
    is_whole: archive.entryCount <= mostListed.entries && folders.size + files.size <= mostListed.files,
  };
}

const compare = (one: string, other: string): number => (one < other ? -1 : 1);
