import path from 'node:path';
import { FolderInUse, FolderLock } from '@moothall/background';
import { StartError } from './start-error';

export const lockFile = 'moothall.pid';

/**
 * Locks a data folder against a second server: two writers would corrupt it.
 * @returns releases the lock
 * @throws StartError if a living process has it
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
