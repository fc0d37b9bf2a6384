import { readdirSync, statSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { absent, textOf } from './file-text';
import { isRefname } from './revision';

/** A folder of refs at one moment: the same value while nothing in it changes. */
export interface RefFolder {
  /** Full names as bytes in Latin-1, with the contents of the files. */
  files: ReadonlyMap<string, string>;
  /** Full names of the folders in it. */
  folders: readonly string[];
}

interface KnownFolder {
  /** Changes with every ref of the folder: git creates a lock beside it and renames that. */
  version: string;
  /** Whether each later change is certain to change the version. */
  isSettled: boolean;
  folder: RefFolder;
}

/** Timestamps of file systems have a limited resolution: a second change could have the same one. */
const SETTLED_AFTER_MS = 1000;
/** Files or folders read before other work gets a turn: about two milliseconds. */
const LOOKS_IN_A_ROW = 200;

/** Reads loose refs; each folder is read only once while it does not change. */
export class LooseRefs {
  /** Estimated size of a ref: 250 bytes. */
  private readonly known = new LRUCache<string, KnownFolder>({
    maxSize: 64 << 20,
    sizeCalculation: ({ folder: { files, folders } }) => (files.size + folders.length + 1) * 250,
  });

  /** All folders at or below one, parents first; empty if there is no such folder. */
  async below(repository: string, folder: string): Promise<RefFolder[]> {
    const found: RefFolder[] = [];
    const open = [folder];
    // The list grows during the loop.
    for (const each of open) {
      if (found.length % LOOKS_IN_A_ROW === LOOKS_IN_A_ROW - 1) await nextTurn();
      const read = await this.folder(repository, each);
      if (!read) continue;
      found.push(read);
      for (const below of read.folders) open.push(below);
    }
    return found;
  }

  private async folder(repository: string, folder: string): Promise<RefFolder | null> {
    const path = pathOf(repository, folder);
    const info = infoOf(path);
    if (!info?.isDirectory()) return null;
    const key = `${repository}\0${folder}`;
    const version = `${info.ino} ${info.mtimeNs} ${info.ctimeNs}`;
    const known = this.known.get(key);
    if (known?.isSettled && known.version === version) return known.folder;
    const isSettled = Date.now() - Number(info.mtimeMs) > SETTLED_AFTER_MS;
    const read = await readFolder(repository, folder);
    const same = known && isSame(known.folder, read) ? known.folder : read;
    this.known.set(key, { version, isSettled, folder: same });
    return same;
  }
}

async function readFolder(repository: string, folder: string): Promise<RefFolder> {
  const files = new Map<string, string>();
  const folders: string[] = [];
  let count = 0;
  for (const entry of entriesOf(pathOf(repository, folder))) {
    const name = `${folder}/${entry.name.toString('latin1')}`;
    // Lock files of git are not refs.
    if (!isRefname(name)) continue;
    if (entry.isDirectory()) folders.push(name);
    else {
      if (++count % LOOKS_IN_A_ROW === 0) await nextTurn();
      const text = textOf(pathOf(repository, name));
      if (text !== null) files.set(name, text.trimEnd());
    }
  }
  return { files, folders };
}

function isSame(left: RefFolder, right: RefFolder): boolean {
  return (
    left.files.size === right.files.size &&
    [...left.files].every(([name, text]) => right.files.get(name) === text) &&
    left.folders.join() === right.folders.join()
  );
}

/** Names are bytes, and a path as bytes can name all of them. */
const pathOf = (repository: string, name: string): Buffer =>
  Buffer.concat([Buffer.from(`${repository}/`), Buffer.from(name, 'latin1')]);

function infoOf(path: Buffer) {
  try {
    return statSync(path, { bigint: true });
  } catch (error) {
    return absent(error as NodeJS.ErrnoException);
  }
}

function entriesOf(path: Buffer) {
  try {
    return readdirSync(path, { withFileTypes: true, encoding: 'buffer' });
  } catch (error) {
    return absent(error as NodeJS.ErrnoException) ?? [];
  }
}
