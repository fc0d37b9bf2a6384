import { stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Git holds a lock of a ref for moments; one this old was left by a process that was killed. */
const STALE_AFTER_MS = 60_000;

/**
 * Removes locks that a killed git left on refs, which would refuse every later change of them.
 * @param refNames the refs about to change; the lock of packed-refs is looked at too
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
