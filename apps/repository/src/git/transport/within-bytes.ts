import { GitError } from '../process/errors';
import { folderBytes } from '../storage/storage';

const LOOK_EVERY_MS = 500;

/**
 * Runs work that fills a folder, and aborts it above a size limit: checked while it grows, and at the end.
 * @param maxBytes undefined for no limit
 * @throws import_too_large
 */
export async function withinBytes<T>(
  folder: string,
  maxBytes: number | undefined,
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (maxBytes === undefined) return work(undefined);
  const tooLarge = new AbortController();
  const watch = setInterval(async () => {
    if ((await folderBytes(folder)) > maxBytes) tooLarge.abort();
  }, LOOK_EVERY_MS);
  try {
    const result = await work(tooLarge.signal);
    if ((await folderBytes(folder)) > maxBytes) throw new GitError('import_too_large');
    return result;
  } catch (error) {
    throw tooLarge.signal.aborted ? new GitError('import_too_large') : error;
  } finally {
    clearInterval(watch);
  }
}
