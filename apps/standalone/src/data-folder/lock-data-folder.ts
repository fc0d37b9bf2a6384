import path from 'node:path';
import { FolderInUse, FolderLock } from '@moothall/background';
import { StartError } from './start-error';

export const lockFile = 'moothall.pid';

/**
 * Keeps a second server off a data folder: two writers would spoil what is in it.
 * @returns lets the folder go
 * @throws StartError when a living process holds it
 */
export function lockDataFolder(runFolder: string): () => void {
  try {
    const lock = FolderLock.take(runFolder, lockFile);
    return () => lock.release();
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    throw new StartError(
      `Process ${error.holder.pid} already uses the data folder ${path.dirname(runFolder)}. Stop it, or set MOOTHALL_DATA_DIR.`,
    );
  }
}
