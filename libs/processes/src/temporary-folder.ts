import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endLeftover, readPidFile, writePidFile } from './pid-file';

const prefix = 'moothall-';
const ownerFile = 'owner.pid';
/** Folders of this process, which removes them; after a kill another one does at its cleanup. */
const made = new Set<string>();
let removesAtExit = false;

/**
 * A new folder below the system's temporary one, which only this user reads. It goes with this process: with its end
 * where that is orderly, else {@link removeAbandonedFolders} of a later one removes it.
 * @param purpose stands in its name
 * @param where below another one, which is there
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
 * Removes the folders of processes that were killed, after ending what these had started and noted down there.
 * @param where as of {@link temporaryFolder}
 */
export async function removeAbandonedFolders(where = tmpdir()): Promise<void> {
  const names = await readdir(where);
  await Promise.all(
    names.filter((name) => name.startsWith(prefix)).map((name) => removeIfAbandoned(path.join(where, name))),
  );
}

async function removeIfAbandoned(folder: string): Promise<void> {
  const owner = path.join(folder, ownerFile);
  // Without a note of its owner it is being made just now, or no folder of this kind.
  if (!existsSync(owner) || readPidFile(owner) !== undefined) return;
  try {
    const files = await readdir(folder, { recursive: true });
    // Also in folders of its children, whichever of them still run.
    const programs = files.filter((file) => file.endsWith('.pid') && file !== ownerFile);
    await Promise.all(programs.map((file) => endLeftover(path.join(folder, file))));
    await rm(folder, { recursive: true, force: true });
  } catch {
    // Of another user of this machine, or swept by two at once: the next one may get further.
  }
}
