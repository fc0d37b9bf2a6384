import { stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Git holds the lock of a ref for moments; an older one was left by a killed process. */
const STALE_AFTER_MS = 60_000;

/**
 * Removes locks that a killed git process left on refs, which would block every later change.
 * @param refNames the refs about to change; the lock of packed-refs is checked too
 */
export async function removeStaleLocks(repository: string, refNames: readonly string[]): Promise<void> {
  const oldest = Date.now() - STALE_AFTER_MS;
  await Promise.all(
    ['packed-refs', ...refNames].map(async (name) => {
      const file = join(repository, `${name}.lock`);
      const info = await stat(file).catch(() => null);
      if (info && info.mtimeMs < oldest) await unlink(file).catch(() => undefined);
    }),
  );
}
