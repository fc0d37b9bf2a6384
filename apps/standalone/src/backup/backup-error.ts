/** The reason why a backup or restore failed, as one line for the user. */
export class BackupError extends Error {}

/** @returns a BackupError for errors of the disk; other errors are bugs */
export function explain(error: unknown): BackupError | undefined {
  if (error instanceof BackupError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return new BackupError(`The disk is full: ${message}`);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return new BackupError(message);
  return undefined;
}
