import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { lockDataFolder } from '../data-folder/lock-data-folder';
import type { DataFolder } from '../data-folder/open-data-folder';
import { writePrivateFile } from '../data-folder/write-private-file';
import { BackupError } from './backup-error';
import { type BackupFolders, backupFoldersOf } from './backup-folders';
import { copyFile } from './copy-file';
import {
  databaseFolder,
  type Entry,
  eventsFile,
  type Head,
  mailsFile,
  readEntries,
  readHead,
  storageFolder,
} from './manifest';

/**
 * Restores a backup into a data folder that is new or empty, and verifies every checksum.
 * @throws BackupError, and StartError if a server runs there; then nothing was restored
 */
export async function restore(backup: string, folder: DataFolder, env: NodeJS.ProcessEnv): Promise<Head> {
  const head = readHead(backup);
  const { runFolder } = folder.place;
  // Nothing is created in a folder that belongs to something else.
  if (!existsSync(runFolder)) requireEmpty(folder.root);
  mkdirSync(runFolder, { recursive: true, mode: 0o700 });
  const unlock = lockDataFolder(runFolder);
  try {
    const target = new Target(folder, targetsOf(head, folder, env));
    target.begin();
    await target.fill(backup);
    return head;
  } finally {
    unlock();
  }
}

/** @throws BackupError if a storage has no folder */
function targetsOf({ storages }: Head, folder: DataFolder, env: NodeJS.ProcessEnv): BackupFolders {
  const folders = backupFoldersOf(folder, env);
  const homeless = storages.filter((name) => folders[`${storageFolder}/${name}`] === undefined);
  if (homeless.length > 0)
    throw new BackupError(`The backup has a storage ${homeless[0]}: set GIT_STORAGES as on the server.`);
  return { ...folders, [databaseFolder]: path.join(folder.root, 'embedded-mongo') };
}

/** A data folder during a restore. Until it is complete, a marker file prevents servers from starting there. */
class Target {
  private readonly files: BackupFolders;

  constructor(
    private readonly folder: DataFolder,
    private readonly folders: BackupFolders,
  ) {
    this.files = {
      'secrets.json': folder.secretsFile,
      [eventsFile]: folder.unprocessedEventsFile,
      [mailsFile]: folder.waitingMailsFile,
    };
  }

  /** Removes leftovers of a killed restore. @throws BackupError for other content */
  begin(): void {
    const { root, cutOffFile } = this.folder;
    if (existsSync(cutOffFile)) this.clear(JSON.parse(readFileSync(cutOffFile, 'utf8')).folders);
    requireEmpty(root);
    for (const place of this.outside()) requireEmpty(place);
    writePrivateFile(cutOffFile, { folders: this.outside() });
  }

  async fill(backup: string): Promise<void> {
    try {
      for await (const entry of readEntries(backup)) this.put(backup, entry);
      execFileSync('sync');
    } catch (error) {
      this.clear(this.outside());
      throw error;
    }
    rmSync(this.folder.cutOffFile);
  }

  private put(backup: string, { path: name, mode, size, sha256 }: Entry): void {
    const target = this.placeOf(name);
    mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
    if (name.endsWith('/')) {
      mkdirSync(target, { recursive: true });
      chmodSync(target, mode);
      return;
    }
    const source = path.join(backup, name);
    const copied = copyFile(source, target, mode);
    if (copied?.sha256 === sha256 && copied?.size === size) return;
    throw new BackupError(`The backup is damaged: ${source} is ${copied ? 'not what was written' : 'missing'}.`);
  }

  private placeOf(name: string): string {
    const file = this.files[name];
    if (file !== undefined) return file;
    const [place, folder] = Object.entries(this.folders).find(([at]) => `${name}/`.startsWith(`${at}/`)) ?? [];
    if (place === undefined || folder === undefined)
      throw new BackupError(`The backup has ${name}, which this version cannot restore.`);
    return path.join(folder, name.slice(place.length));
  }

  /** Folders outside of the data folder. */
  private outside(): string[] {
    return Object.values(this.folders).filter((place) => path.relative(this.folder.root, place).startsWith('..'));
  }

  private clear(outside: readonly string[]): void {
    const { root, cutOffFile, place } = this.folder;
    for (const folder of [...outside, root]) {
      for (const name of existsSync(folder) ? readdirSync(folder) : []) {
        const file = path.join(folder, name);
        if (file !== place.runFolder && file !== cutOffFile) rmSync(file, { recursive: true, force: true });
      }
    }
    rmSync(cutOffFile, { force: true });
  }
}

/** A lock of this program, or its leftover, is ignored. */
function requireEmpty(folder: string): void {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  if (names.some((name) => name !== 'run' && name !== 'lost+found'))
    throw new BackupError(`${folder} is not empty: a backup is restored into a new folder. Set MOOTHALL_DATA_DIR.`);
}
