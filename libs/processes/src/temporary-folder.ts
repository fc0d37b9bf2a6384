import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endLeftover, readPidFile, writePidFile } from './pid-file';

const prefix = 'moothall-';
const ownerFile = 'owner.pid';
/** Folders of this process, which removes them; after a kill another process removes them at its cleanup. */
const made = new Set<string>();
let removesAtExit = false;

/**
 * A new folder below the system's temporary one, which only this user can read. This process removes it at a regular
 * end, otherwise {@link removeAbandonedFolders} of a later one does.
 * @param purpose part of its name
 * @param where an existing parent folder
 */
export function temporaryFolder(purpose: string, where = tmpdir()): string {
  const folder = mkdtempSync(path.join(where, `${prefix}${purpose}-`));
  // Atomically: a partial file would look like that of a dead owner.
  const unnamed = path.join(folder, 'owner');
  writePidFile(unnamed, process.pid);
  renameSync(unnamed, path.join(folder, ownerFile));
  if (!removesAtExit) process.once('exit', removeAll);
  removesAtExit = true;
  made.add(folder);
  return folder;
}

function removeAll(): void {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
}

/** Removes a folder of this process. */
export async function removeTemporaryFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  made.delete(folder);
}

/**
 * Removes the folders of killed processes, after it has stopped the programs that they had started and recorded
 * there.
 * @param where like in {@link temporaryFolder}
 */
export async function removeAbandonedFolders(where = tmpdir()): Promise<void> {
  const names = await readdir(where);
  await Promise.all(
    names.filter((name) => name.startsWith(prefix)).map((name) => removeIfAbandoned(path.join(where, name))),
  );
}

async function removeIfAbandoned(folder: string): Promise<void> {
  const owner = path.join(folder, ownerFile);
  // Without a recorded owner it is being created, or it is not such a folder.
  if (!existsSync(owner) || readPidFile(owner) !== undefined) return;
  try {
    const files = await readdir(folder, { recursive: true });
    // Also in folders of its children, whichever of them still run.
    const programs = files.filter((file) => file.endsWith('.pid') && file !== ownerFile);
    await Promise.all(programs.map((file) => endLeftover(path.join(folder, file))));
    await rm(folder, { recursive: true, force: true });
  } catch {
    // It belongs to another user, or two processes remove it concurrently: the next one continues.
  }
}
