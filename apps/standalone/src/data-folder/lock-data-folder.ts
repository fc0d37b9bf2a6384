import { linkSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { readPidFile, writePidFile } from '@moothall/processes';
import { StartError } from '../start-error';

/**
 * Keeps a second server off a data folder: two writers would spoil what is in it.
 * @returns lets the folder go
 * @throws StartError when a living process holds it
 */
export function lockDataFolder(runFolder: string): () => void {
  const lock = path.join(runFolder, 'moothall.pid');
  const mine = `${lock}.${process.pid}`;
  writePidFile(mine, process.pid);
  try {
    // Linked, not written: the lock never exists without its content.
    while (!tryLink(mine, lock)) removeStale(lock);
  } finally {
    rmSync(mine, { force: true });
  }
  return () => rmSync(lock, { force: true });
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function removeStale(lock: string): void {
  refuseIfHeld(lock);
  const aside = `${lock}.stale-${process.pid}`;
  try {
    renameSync(lock, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  try {
    // Another start may have taken the stale lock over in between: what was moved is its living lock then.
    if (readPidFile(aside) !== undefined) tryLink(aside, lock);
    refuseIfHeld(aside);
  } finally {
    rmSync(aside, { force: true });
  }
}

function refuseIfHeld(lock: string): void {
  const holder = readPidFile(lock);
  if (holder === undefined) return;
  const dataFolder = path.dirname(path.dirname(lock));
  throw new StartError(
    `Process ${holder} runs on the data folder ${dataFolder} already. Stop it, or set MOOTHALL_DATA_DIR.`,
  );
}
